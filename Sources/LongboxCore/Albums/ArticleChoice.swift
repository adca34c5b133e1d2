// Longbox
// SPDX-License-Identifier: MIT

/// The result of choosing the page about an album among candidates.
public enum ArticleChoice: Equatable, Sendable {
  /// The page is about the album.
  case sure(ArticleCandidate)
  /// Up to three plausible pages, best first; the reader chooses.
  case unsure([ArticleCandidate])
  /// No page fits.
  case none

  /// The maximum number of pages offered to the reader.
  private static let most = 3
  /// The minimum score for a sure choice.
  private static let sureScore = 9
  /// The minimum lead over the next candidate for a sure choice.
  private static let sureDistance = 3
  /// The minimum score for offering a page to the reader.
  private static let likelyScore = 5

  /// The codes of the languages whose words for albums and songs ``ArticleScore`` knows.
  public static var languages: [Text] {
    ["da", "de", "en", "es", "fi", "fr", "it", "nl", "no", "pl", "pt", "sv"]
  }

  /// Chooses among candidates.
  public init(for album: Album, among candidates: [ArticleCandidate]) {
    let scores = candidates.map { ArticleScore(of: $0, for: album) }
    let order = sortedIndices(candidates.count) { scores[$0].value > scores[$1].value }
    let likely = order.filter { scores[$0].value >= Self.likelyScore }
    guard let best = likely.first else {
      self = .none
      return
    }
    let next = likely.count > 1 ? scores[likely[1]].value : 0
    let isSure =
      scores[best].isEvident && scores[best].value >= Self.sureScore
      && scores[best].value - next >= Self.sureDistance
    self = isSure ? .sure(candidates[best]) : .unsure(likely.prefix(Self.most).map { candidates[$0] })
  }
}

/// A Wikipedia page that may be about an album.
public struct ArticleCandidate: Equatable, Sendable {
  /// The page ID.
  public var id: Int
  /// The page's title, such as "Weezer (Blue Album)".
  public var title: Text
  /// Wikipedia's short description, such as "1994 studio album by Weezer"; may be empty.
  public var summary: Text
  /// The beginning of the page as plain text.
  public var extract: Text
  public var isDisambiguation: Bool
  /// The revision ID.
  public var revision: Int
  public var address: Text

  public init(
    id: Int,
    title: Text,
    summary: Text = .empty,
    extract: Text = .empty,
    isDisambiguation: Bool = false,
    revision: Int = 0,
    address: Text = .empty
  ) {
    self.id = id
    self.title = title
    self.summary = summary
    self.extract = extract
    self.isDisambiguation = isDisambiguation
    self.revision = revision
    self.address = address
  }
}

/// Scores how well a Wikipedia page fits an album.
///
/// The title and the short description count most. The beginning of the text counts less, because pages about
/// songs and bands also name albums. A title such as "Weezer" belongs to six albums and the band, so the year
/// decides there.
struct ArticleScore {
  /// The score; below 5 the page is about something else.
  let value: Int
  /// Whether the page is titled like the album, is about an album by this artist, and states no other year.
  let isEvident: Bool

  private static let albumWords: [StaticString] = [
    "album", "ep", "soundtrack", "mixtape", "albums", "albumi", "studioalbum", "studioalbumi", "debutalbum",
    "livealbum", "musikalbum", "muziekalbum", "kompilationsalbum", "samlingsalbum", "verzamelalbum",
  ]
  private static let songWords: [StaticString] = [
    "song", "single", "songs", "lied", "chanson", "cancion", "sencillo", "brano", "singolo", "singiel",
  ]
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
    // Qualifiers such as (album), (Weezer album), (1994 album) and (song).
    if qualifier.hasAny(wanted) { value += 3 }
    if qualifier.hasAny(unwanted), !qualifier.hasAny(wanted) { value -= 6 }
    if qualifier.hasAny(Self.otherThings + Self.people), !qualifier.hasAny(wanted) { value -= 6 }
    value += Self.yearScore(qualifier, album) + Self.ownerScore(qualifier, artist)
    // Wikipedia's short description.
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
    // A page with the right title that mentions neither albums nor the artist is about the word: "Harvest".
    let most = named ? (isOfAlbum || isOfArtist ? value : min(value, 4)) : min(value, 8) - 3
    self.value = min(value, most)
    isEvident =
      named && isOfAlbum && isOfArtist && !Self.statesOtherYear(qualifier, summary, beginning, album)
  }

  /// Scores how well the page's title matches the album's name.
  private static func nameScore(_ name: FoldedName, _ title: FoldedName, _ album: Album) -> Int {
    let (base, full) = (FoldedName(album.name.base), FoldedName(album.name.full))
    if title == full || title == base && title != name { return 6 }
    if name == base || name == full { return 4 }
    // Matches "Black Panther" and "Black Panther: The Album".
    if base.begins(with: name) || name.begins(with: base) { return 2 }
    return 0
  }

  /// Scores a year in the words: it should be the album's year, plus or minus one.
  private static func yearScore(_ words: FoldedName, _ album: Album) -> Int {
    guard let year = album.released?.year else { return 0 }
    let years = years(in: words)
    guard !years.isEmpty else { return 0 }
    return years.contains { abs($0 - year) <= 1 } ? 2 : -2
  }

  /// Whether the page states a year that isn't the album's; artists have several albums of one name.
  ///
  /// The text counts only if neither the title nor the description has a year, because it may also name the years
  /// of other albums and of the artist. The store dates some editions by the reissue, often a year later.
  private static func statesOtherYear(
    _ qualifier: FoldedName,
    _ summary: FoldedName,
    _ beginning: FoldedName,
    _ album: Album
  ) -> Bool {
    guard let year = album.released?.year else { return false }
    let tolerance = album.name.edition.isEmpty ? 0 : 1
    func isOther(_ years: [Int]) -> Bool {
      !years.isEmpty && !years.contains { abs($0 - year) <= tolerance }
    }
    let (inTitle, inSummary) = (years(in: qualifier), years(in: summary))
    guard inTitle.isEmpty, inSummary.isEmpty else { return isOther(inTitle) || isOther(inSummary) }
    let own = years(in: FoldedName(album.name.full)) + years(in: FoldedName(album.artist))
    return isOther(years(in: beginning).filter { !own.contains($0) })
  }

  private static func years(in name: FoldedName) -> [Int] {
    name.words.compactMap { $0.count == 4 ? Text($0).number : nil }.filter { (1900...2099).contains($0) }
  }

  /// Scores the artist in a qualifier: "(Weezer album)" fits, "(American Football album)" doesn't.
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
    // One unknown word counts little: it may be a colour, as in "(Blue Album)", and artists' names are mostly
    // longer.
    return others.isEmpty ? 0 : others.count == 1 ? -1 : -4
  }

  /// A page's title, split into the name and the qualifier in brackets at its end.
  private static func parts(of title: Text) -> (name: FoldedName, qualifier: FoldedName) {
    let bytes = title.bytes
    guard bytes.last == UInt8(ascii: ")"), let start = bytes.lastIndex(of: UInt8(ascii: "(")),
      start > bytes.startIndex
    else { return (FoldedName(title), FoldedName(.empty)) }
    return (FoldedName(Text(bytes[..<start])), FoldedName(Text(bytes[start...])))
  }

  /// The first 400 bytes, which contain the first sentence.
  private static func firstSentence(of text: Text) -> Text {
    Text(text.bytes.prefix(400))
  }
}
