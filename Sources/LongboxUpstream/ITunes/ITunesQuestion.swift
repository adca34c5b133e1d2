// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What the store can be asked.
public struct ITunesQuestion: Hashable, Sendable {
  /// What is asked for.
  public enum Subject: Hashable, Sendable {
    /// The artists whose name has some words.
    case artists(String)
    /// The albums of an artist.
    case albums(of: StoreID)
    /// An album with its tracks.
    case tracks(of: StoreID)
  }

  /// What is asked for.
  public var subject: Subject
  /// Whose store is asked.
  public var country: StoreCountry

  /// The longest words that are searched for, in bytes: the hundred characters of a form in any script.
  ///
  /// With what stands before them, ``key`` stays within what the database takes.
  private static let longestTerm = 380

  /// Makes a question for an artist's albums or an album's tracks.
  public init(_ subject: Subject, in country: StoreCountry) {
    self.subject = subject
    self.country = country
  }

  /// Makes a question for artists: case and spaces don't tell two questions apart.
  /// - Returns: nothing where there is no word, or far too many.
  public init?(artistsNamed term: String, in country: StoreCountry) {
    let words = term.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty, words.utf8.count <= Self.longestTerm else { return nil }
    self.init(.artists(words), in: country)
  }

  /// A name under which the answer can be kept: `artists/us/sault`, `albums/gb/414425`, `tracks/gb/1038991417`.
  public var key: String {
    switch subject {
    case .artists(let term): "artists/\(country.text)/\(term)"
    case .albums(let artist): "albums/\(country.text)/\(artist.text)"
    case .tracks(let album): "tracks/\(country.text)/\(album.text)"
    }
  }

  /// What is asked for, in words for a message.
  var name: String {
    switch subject {
    case .artists(let term): "artists named “\(term)”"
    case .albums(let artist): "albums of the artist \(artist.text)"
    case .tracks(let album): "tracks of the album \(album.text)"
    }
  }
}
