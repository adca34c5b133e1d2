// Longbox
// SPDX-License-Identifier: MIT

/// A saved album, with what a list shows.
public struct SavedAlbum: Equatable, Sendable {
  /// The store's number of the album.
  public var id: StoreID
  public var country: StoreCountry
  /// The year of release, or 0.
  public var year: Int
  public var name: Text
  public var artist: Text

  /// The maximum length of a name, of an album or an artist, in bytes.
  public static let nameLength = 1_000

  /// Creates a saved album; nil if a name is too long or the album's is empty.
  public init?(id: StoreID, country: StoreCountry, year: Int, name: Text, artist: Text) {
    guard !name.isEmpty, name.count <= Self.nameLength, artist.count <= Self.nameLength else { return nil }
    self.id = id
    self.country = country
    self.year = max(0, min(year, 9999))
    self.name = name
    self.artist = artist
  }

  /// Decodes an album from its register, or nil for an unknown format.
  init?(_ entry: LibraryEntry) {
    guard let value = entry.value,
      let id = StoreID(Text(entry.key.text.bytes.dropFirst(Self.prefix.count)))
    else { return nil }
    var reader = ByteReader(value.bytes)
    do throws(LibraryError) {
      guard try reader.byte() == Self.format else { return nil }
      guard let country = StoreCountry(Text(try reader.slice(2))) else { return nil }
      let year = try reader.count(atMost: 9999)
      let name = Text(try reader.slice(try reader.count(atMost: Self.nameLength)))
      self.init(id: id, country: country, year: year, name: name, artist: Text(reader.rest))
    } catch {
      return nil
    }
  }

  /// The encoding of the value: u8 format, the country's two letters, varint year, varint length of the name,
  /// the name, the artist's name.
  var value: Text {
    var bytes = [Self.format]
    bytes.append(contentsOf: country.text.bytes)
    bytes.appendCount(year)
    bytes.appendCount(name.count)
    bytes.append(contentsOf: name.bytes)
    bytes.append(contentsOf: artist.bytes)
    return Text(bytes)
  }

  /// The words of a search besides `is:album`; nil if the search doesn't contain `is:album`.
  public static func words(in search: Text) -> Text? {
    let words = search.bytes.split(separator: UInt8(ascii: " ")).map { Text($0) }
    let others = words.filter { $0 != "is:album" }
    guard others.count < words.count else { return nil }
    return others.reduce(Text.empty) { $0 + " " + $1 }
  }

  /// Whether the album's name, artist and year contain all words, also as parts of words.
  public func has(_ words: Text) -> Bool {
    let all = (name + " " + artist + " " + Text(decimal: year)).plainLetters[...]
    return words.plainLetters.split(separator: UInt8(ascii: " "))
      .allSatisfy { all.firstIndex(of: Array($0), from: 0) != nil }
  }

  private static var format: UInt8 { 1 }
  static var prefix: Text { "saved/album/" }

  static func key(of album: StoreID) -> LibraryKey { LibraryKey(known: prefix + album.text) }
}

/// Saved albums: `saved/album/1440857781`.
extension Library {
  /// The saved albums, by artist, then oldest first.
  public var savedAlbums: [SavedAlbum] {
    var albums: [SavedAlbum] = []
    for index in places(under: SavedAlbum.prefix) {
      if let album = SavedAlbum(entries[index]) { albums.append(album) }
    }
    let order = sortedIndices(albums.count) { left, right in
      let (left, right) = (albums[left], albums[right])
      if left.artist != right.artist { return left.artist.precedesWithoutCase(right.artist) }
      return left.year == right.year ? left.id.value < right.id.value : left.year < right.year
    }
    return order.map { albums[$0] }
  }

  public func hasSaved(_ album: StoreID) -> Bool {
    value(SavedAlbum.key(of: album)) != nil
  }

  /// The store country that the reader chose, or nil for the server's default.
  public var albumCountry: StoreCountry? {
    value(Self.albumCountryKey).flatMap { StoreCountry($0) }
  }

  /// Sets the store country.
  /// - Throws: `LibraryError.full`.
  public mutating func setAlbumCountry(_ country: StoreCountry, at editTime: EditTime) throws(LibraryError) {
    try set(Self.albumCountryKey, to: country.text, timestamp: editTime.timestamp)
  }

  private static var albumCountryKey: LibraryKey { LibraryKey(known: "setting/albumCountry") }

  /// The language code of articles that the reader chose, or nil for the server's default.
  ///
  /// It may be any text.
  public var articleLanguage: Text? { value(Self.articleLanguageKey) }

  /// Sets the language of articles.
  /// - Throws: `LibraryError.full`.
  public mutating func setArticleLanguage(_ language: Text, at editTime: EditTime) throws(LibraryError) {
    try set(Self.articleLanguageKey, to: language, timestamp: editTime.timestamp)
  }

  private static var articleLanguageKey: LibraryKey { LibraryKey(known: "setting/articleLanguage") }

  /// Saves an album.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func save(_ album: SavedAlbum, at editTime: EditTime) throws(LibraryError) -> Undo {
    try set(SavedAlbum.key(of: album.id), to: album.value, timestamp: editTime.timestamp)
  }

  @discardableResult
  public mutating func removeAlbum(_ album: StoreID, at editTime: EditTime) throws(LibraryError) -> Undo {
    try set(SavedAlbum.key(of: album), to: nil, timestamp: editTime.timestamp)
  }
}

extension Text {
  /// Orders by bytes with A to Z taken as a to z, then by the bytes themselves.
  fileprivate func precedesWithoutCase(_ other: Text) -> Bool {
    for index in 0..<min(storage.count, other.storage.count) {
      let (left, right) = (storage[index].lowercasedASCII, other.storage[index].lowercasedASCII)
      if left != right { return left < right }
    }
    return count == other.count ? precedes(other) : count < other.count
  }
}

/// A reader's choice of the Wikipedia page about an album.
public struct ArticlePick: Equatable, Sendable {
  /// The language code of the Wikipedia, such as `en`: each has page numbers of its own.
  public let language: Text
  /// The page's number, or 0 if none of the pages found is about the album.
  public let page: Int

  /// The maximum length of a language code; the longest of Wikipedia's has 12 characters.
  private static let languageLength = 20
  /// The greatest page number; Wikipedia's have eight digits, and `Text.number` reads nine.
  private static let greatestPage = 999_999_999

  /// Creates a choice; nil if the page's number or the language code is invalid.
  public init?(language: Text, page: Int) {
    guard (0...Self.greatestPage).contains(page), (1...Self.languageLength).contains(language.count),
      language.bytes.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.language = language
    self.page = page
  }

  /// Decodes a register's value; nil for an unknown format.
  init?(_ value: Text) {
    let parts = value.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, let page = Text(parts[1]).number else { return nil }
    self.init(language: Text(parts[0]), page: page)
  }

  /// The encoding of the value: `en/4512`.
  var value: Text { language + "/" + Text(decimal: page) }
}

/// Choices of articles about albums: `saved/article/1440857781`.
extension Library {
  /// The article that the reader chose for an album; nil without a choice.
  public func articlePick(for album: StoreID) -> ArticlePick? {
    value(Self.articleKey(album)).flatMap { ArticlePick($0) }
  }

  /// Sets the article for an album; nil removes the choice.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func pickArticle(
    _ pick: ArticlePick?,
    for album: StoreID,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try set(Self.articleKey(album), to: pick?.value, timestamp: editTime.timestamp)
  }

  private static func articleKey(_ album: StoreID) -> LibraryKey {
    LibraryKey(known: "saved/article/" + album.text)
  }
}

/// An artist whose albums the reader viewed.
public struct RecentArtist: Equatable, Sendable {
  /// The store's number of the artist.
  public var id: StoreID
  public var country: StoreCountry
  public var name: Text

  public init(id: StoreID, country: StoreCountry, name: Text) {
    self.id = id
    self.country = country
    self.name = name
  }

  /// The maximum number of recent artists.
  static let most = 12

  static var prefix: Text { "recent/artist/" }
  private static var format: UInt8 { 1 }

  init?(_ entry: LibraryEntry) {
    guard let value = entry.value, let id = StoreID(Text(entry.key.text.bytes.dropFirst(Self.prefix.count)))
    else { return nil }
    let bytes = value.bytes
    guard bytes.first == Self.format, let country = StoreCountry(Text(bytes.dropFirst().prefix(2))) else {
      return nil
    }
    self.init(id: id, country: country, name: Text(bytes.dropFirst(3)))
  }

  /// The value of the register: u8 format, the country's two letters, the name.
  var value: Text {
    Text([Self.format] + country.text.bytes + name.bytes.prefix(SavedAlbum.nameLength))
  }
}

/// Recently viewed artists: `recent/artist/414425`.
extension Library {
  /// The recent artists, latest first.
  public var recentArtists: [RecentArtist] {
    let indices = places(under: RecentArtist.prefix).filter { entries[$0].value != nil }
    let order = sortedIndices(indices.count) {
      entries[indices[$1]].timestamp < entries[indices[$0]].timestamp
    }
    return order.prefix(RecentArtist.most).compactMap { RecentArtist(entries[indices[$0]]) }
  }

  /// Adds an artist to the recent ones; writes nothing if it is the latest already.
  /// - Throws: `LibraryError.full`.
  public mutating func noteRecent(_ artist: RecentArtist, at editTime: EditTime) throws(LibraryError) {
    guard recentArtists.first != artist else { return }
    try set(
      LibraryKey(known: RecentArtist.prefix + artist.id.text),
      to: artist.value,
      timestamp: editTime.timestamp
    )
  }
}

/// Saved items, such as an album or a quiz result: `saved/album/1440857781`. The kind defines what the value means.
extension Library {
  /// The key of a saved item.
  /// - Parameters:
  ///   - kind: such as `album`; without a slash, so that no kind contains another.
  ///   - name: the name within the kind.
  /// - Throws: `LibraryError.savedName` if either is empty or the kind has a slash, `LibraryError.keyLength`.
  public static func savedKey(kind: Text, name: Text) throws(LibraryError) -> LibraryKey {
    guard !kind.isEmpty, !kind.bytes.contains(UInt8(ascii: "/")), !name.isEmpty else { throw .savedName }
    return try LibraryKey("saved/" + kind + "/" + name)
  }

  /// Saves something, in place of anything with the same kind and name.
  /// - Throws: as ``savedKey(kind:name:)``, and `LibraryError.valueTooLong` or `LibraryError.full`.
  @discardableResult
  public mutating func save(
    _ value: Text,
    kind: Text,
    name: Text,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try set(Self.savedKey(kind: kind, name: name), to: value, timestamp: editTime.timestamp)
  }
}
