// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore

/// A question to the store.
public struct ITunesQuestion: Hashable, Sendable {
  /// The kinds of questions.
  public enum Subject: Hashable, Sendable {
    /// A search for artists by name.
    case artists(String)
    /// An artist's albums.
    case albums(of: StoreID)
    /// An album with its tracks.
    case tracks(of: StoreID)
  }

  /// What is asked.
  public var subject: Subject
  /// The store's country.
  public var country: StoreCountry

  /// The longest search term in bytes; with its prefix, ``key`` stays within the database's limit.
  private static let longestTerm = 380

  /// Makes a question for an artist's albums or an album's tracks.
  public init(_ subject: Subject, in country: StoreCountry) {
    self.subject = subject
    self.country = country
  }

  /// A name in the one spelling in which it is a key: letters composed with their accents (NFC), `'` for each
  /// kind of apostrophe, single spaces.
  ///
  /// A phone writes `Destiny’s` where a computer has `Destiny's`; macOS decomposes the letters of a file's name.
  public static func spelling(of name: String) -> String {
    let letters = name.precomposedStringWithCanonicalMapping.unicodeScalars
    let plain = String(String.UnicodeScalarView(letters.map { apostrophes.contains($0) ? "'" : $0 }))
    return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Quotation marks, primes, accents and letters that are typed for an apostrophe.
  private static let apostrophes: Set<Unicode.Scalar> = [
    "\u{60}", "\u{B4}", "\u{2B9}", "\u{2BB}", "\u{2BC}", "\u{2018}", "\u{2019}", "\u{201B}", "\u{2032}",
    "\u{FF07}",
  ]

  /// Makes a search for artists; case, extra spaces and different spellings of one name are ignored.
  /// - Returns: nil if there is no word, or far too many.
  public init?(artistsNamed term: String, in country: StoreCountry) {
    let words = Self.spelling(of: term.lowercased())
    guard !words.isEmpty, words.utf8.count <= Self.longestTerm else { return nil }
    self.init(.artists(words), in: country)
  }

  /// A key for storing the reply: `artists/us/sault`, `albums/gb/414425`, `tracks/gb/1038991417`.
  public var key: String {
    switch subject {
    case .artists(let term): "artists/\(country.text)/\(term)"
    case .albums(let artist): "albums/\(country.text)/\(artist.text)"
    case .tracks(let album): "tracks/\(country.text)/\(album.text)"
    }
  }

  var name: String {
    switch subject {
    case .artists(let term): "artists named “\(term)”"
    case .albums(let artist): "albums of the artist \(artist.text)"
    case .tracks(let album): "tracks of the album \(album.text)"
    }
  }
}
