// Longbox
// SPDX-License-Identifier: MIT

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

  /// Makes a search for artists; case and extra spaces are ignored.
  /// - Returns: nil if there is no word, or far too many.
  public init?(artistsNamed term: String, in country: StoreCountry) {
    let words = term.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
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
