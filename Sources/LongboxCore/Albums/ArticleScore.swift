// Longbox
// SPDX-License-Identifier: MIT

/// How well a page of an encyclopedia fits an album.
///
/// It goes by the page's name and by what the encyclopedia says that the page is about; the beginning of the text counts less,
/// for every page about a song or a band names albums, too. Names of one word such as "Weezer" belong to six albums and
/// their band, so the year decides there.
struct ArticleScore {
  /// The more the better; below 5 the page is about something else.
  let value: Int
  /// Whether the page says both that it is about an album and whose it is.
  let isEvident: Bool

  private static let albumWords: [StaticString] = [
    "album", "ep", "soundtrack", "mixtape", "albums", "albumi",
  ]
  private static let songWords: [StaticString] = ["song", "single", "songs"]
  private static let people: [StaticString] = [
    "band", "singer", "rapper", "musician", "group", "duo", "trio", "songwriter", "composer", "dj",
  ]
  private static let otherThings: [StaticString] = [
    "film", "novel", "book", "series", "game", "play", "musical", "magazine", "tour", "company", "video",
    "character", "disambiguation", "discography",
  ]

  init(of page: ArticleCandidate, for album: Album) {
    let (name, qualifier) = Self.parts(of: page.title)
    let title = FoldedName(page.title)
    let isList = title.begins(with: FoldedName("List of")) || title.has("discography")
    guard !page.isDisambiguation, !isList, !qualifier.has("disambiguation") else {
      (value, isEvident) = (0, false)
      return
    }
    let artist = FoldedName(album.artist)
    let summary = FoldedName(page.summary)
    let beginning = FoldedName(Self.firstSentence(of: page.extract))
    let isSingle = album.kind == .single
    let wanted = isSingle ? Self.songWords : Self.albumWords
    let unwanted = isSingle ? Self.albumWords : Self.songWords

    var value = Self.nameScore(name, title, album)
    let named = value > 0
    // The name's qualifier: (album), (Weezer album), (1994 album), (song).
    if qualifier.hasAny(wanted) { value += 3 }
    if qualifier.hasAny(unwanted), !qualifier.hasAny(wanted) { value -= 6 }
    if qualifier.hasAny(Self.otherThings + Self.people), !qualifier.hasAny(wanted) { value -= 6 }
    value += Self.yearScore(qualifier, album) + Self.ownerScore(qualifier, artist)
    // The encyclopedia's own short description.
    let isAlbum = summary.hasAny(wanted) && !summary.hasAny(["discography"])
    if isAlbum { value += 3 }
    if !isAlbum, summary.hasAny(unwanted + Self.people + Self.otherThings) { value -= 5 }
    let isTheirs = summary.contains(artist)
    if isTheirs { value += 3 }
    if isAlbum, !isTheirs, summary.has("by") { value -= 4 }
    value += Self.yearScore(summary, album)
    // The first sentence.
    if beginning.hasAny(wanted) { value += 1 }
    let isTheirsInText = beginning.contains(artist)
    if isTheirsInText { value += 2 }
    if summary.isEmpty { value += Self.yearScore(beginning, album) }
    let isOfAlbum = isAlbum || qualifier.hasAny(wanted) || beginning.hasAny(wanted)
    let isOfArtist = isTheirs || isTheirsInText || qualifier.contains(artist)
    // A page of the name that speaks neither of albums nor of the artist is about the word: "Harvest".
    let most = named ? (isOfAlbum || isOfArtist ? value : min(value, 4)) : min(value, 8) - 3
    self.value = min(value, most)
    isEvident = named && isOfAlbum && isOfArtist
  }

  /// How well the page's name is the album's.
  private static func nameScore(_ name: FoldedName, _ title: FoldedName, _ album: Album) -> Int {
    let (base, full) = (FoldedName(album.name.base), FoldedName(album.name.full))
    if title == full || title == base && title != name { return 6 }
    if name == base || name == full { return 4 }
    // "Black Panther" and "Black Panther: The Album", the soundtrack of the film of that name.
    if base.begins(with: name) || name.begins(with: base) { return 2 }
    return 0
  }

  /// A year that is named should be the album's, give or take one.
  private static func yearScore(_ words: FoldedName, _ album: Album) -> Int {
    guard let year = album.released?.year else { return 0 }
    let years = words.words.compactMap { $0.count == 4 ? Text($0).number : nil }
    guard !years.isEmpty else { return 0 }
    return years.contains { abs($0 - year) <= 1 } ? 2 : -2
  }

  /// "(Weezer album)" names whose it is; "(American Football album)" says that it is somebody else's.
  private static func ownerScore(_ qualifier: FoldedName, _ artist: FoldedName) -> Int {
    guard !qualifier.isEmpty, qualifier.hasAny(albumWords) else { return 0 }
    if qualifier.contains(artist) { return 2 }
    let plain: [StaticString] = [
      "album", "ep", "soundtrack", "live", "studio", "compilation", "mixtape", "original", "remix", "the",
      "video",
    ]
    let others = qualifier.words.filter { word in
      !plain.contains { $0.isEqual(to: word) } && !word.allSatisfy { $0.isASCIIDigit }
    }
    // A colour, as of Weezer's, is no other artist; a name mostly has more to it, so one word counts half.
    return others.isEmpty ? 0 : others.count == 1 ? -1 : -4
  }

  /// A page's name without the brackets at its end, and what stands in them.
  private static func parts(of title: Text) -> (name: FoldedName, qualifier: FoldedName) {
    let bytes = title.bytes
    guard bytes.last == UInt8(ascii: ")"), let start = bytes.lastIndex(of: UInt8(ascii: "(")),
      start > bytes.startIndex
    else { return (FoldedName(title), FoldedName(.empty)) }
    return (FoldedName(Text(bytes[..<start])), FoldedName(Text(bytes[start...])))
  }

  /// As much as says what a page is about.
  private static func firstSentence(of text: Text) -> Text {
    Text(text.bytes.prefix(400))
  }
}
