// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The comic chosen by a typed number.
enum Choice: Equatable {
  /// An existing comic.
  case number(Comic.Number)
  /// 404, the number that xkcd skipped.
  case missing(latest: Comic.Number)
  /// No comic, with the reason.
  case rejected(Problem)
  /// No comic, because none is known yet.
  case nothingKnown

  /// Why the input chooses no comic.
  enum Problem: Equatable {
    case empty
    case notANumber
    case belowFirst
    case aboveLatest(Comic.Number)

    /// The HTTP status: 400 if the input isn't a number, 404 if the comic doesn't exist.
    var status: Int {
      switch self {
      case .empty, .notANumber: 400
      case .belowFirst, .aboveLatest: 404
      }
    }
  }

  init(_ typed: Text, latest: Comic.Number?) {
    guard let latest else {
      self = .nothingKnown
      return
    }
    var digits = typed.bytes
    if digits.first == UInt8(ascii: "#") { digits = digits.dropFirst() }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    guard !digits.isEmpty else {
      self = .rejected(typed.isEmpty ? .empty : .notANumber)
      return
    }
    guard digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      self = .rejected(.notANumber)
      return
    }
    let significant = Text(digits.drop { $0 == UInt8(ascii: "0") })
    let value = significant.isEmpty ? 0 : significant.number ?? Int(Int32.max)
    if isNegative || value < 1 {
      self = .rejected(.belowFirst)
    } else if value == 404 {
      self = .missing(latest: latest)
    } else if let number = Comic.Number(value), number <= latest {
      self = .number(number)
    } else {
      self = .rejected(.aboveLatest(latest))
    }
  }
}

/// The target of a search: a comic by number, saved albums, or results from the archive.
struct ComicSearch {
  /// The search as an address has it, with the reader's default for deep search.
  let link: Link.Search
  /// The comic, if the text is only its number.
  let comic: Comic.Number?
  /// The saved albums, if the text contains `is:album`.
  let albums: [SavedAlbum]?
  /// The search to run; nil if the text is empty or has another target.
  let question: SearchQuestion?

  init(_ fields: Link.Search, archive: Archive, library: Library) {
    let isDeep = fields.isDeep ?? library.value(of: .deepSearchByDefault)
    link = Link.Search(text: fields.text, isDeep: isDeep, offset: fields.offset)
    comic = fields.isTyping ? nil : archive.comic(typed: fields.text)
    albums = SavedAlbum.words(in: fields.text).map { words in library.savedAlbums.filter { $0.has(words) } }
    guard comic == nil, albums == nil, !fields.text.isEmpty else {
      question = nil
      return
    }
    var question = SearchQuestion(
      text: fields.text,
      isDeep: isDeep,
      mostInTexts: isDeep || fields.offset > 0 ? 0 : SearchPage.mostInTexts,
      isTyping: fields.isTyping,
      offset: fields.offset,
      limit: SearchPage.pageLength
    )
    // Only words with a colon, such as `is:favorite`, depend on the library.
    if let latest = archive.latest?.number, fields.text.bytes.contains(UInt8(ascii: ":")) {
      let marks = library.readMarks
      question.favorites = ComicSet(upTo: latest, library.favorites.map { $0.comic })
      question.read = ComicSet(upTo: latest) { marks.isRead($0) }
    }
    self.question = question
  }
}

extension Archive {
  /// The comic of a search that is only its number or a name of it, such as `353`, `#353` or `xkcd 353`.
  ///
  /// A number that may be a year runs a search, whose first result is the comic.
  fileprivate func comic(typed text: Text) -> Comic.Number? {
    let named = text.namedComic
    guard
      let value = named ?? text.number,
      let number = Comic.Number(value),
      let latest,
      number <= latest.number,
      let first = firstYear, let last = latest.date?.year
    else { return nil }
    return named == nil && (first...max(first, last)).contains(value) ? nil : number
  }

  private var firstYear: Int? {
    var year: Int?
    visit { comic in
      year = comic.date?.year
      return year == nil
    }
    return year
  }
}

/// The `is:` filters of a search.
public enum SearchFilters {
  private static let names: [Text] = ["is:favorite", "is:unread", "is:read", "is:interactive", "is:album"]

  /// The filters that a site has.
  public static func names(on site: Site) -> [Text] { site.isStaticCopy ? names.dropLast() : names }

  /// The filters in a search that don't exist.
  /// - Parameters:
  ///   - search: the words of the search.
  ///   - isTyping: ignores the beginning of a filter, which may still be completed.
  public static func unknown(in search: Text, isTyping: Bool) -> [Text] {
    search.bytes.split(separator: UInt8(ascii: " ")).map { Text($0) }.filter { word in
      word.bytes.starts(with: ("is:" as StaticString).utf8Bytes) && word != "is:favourite"
        && !names.contains { $0 == word || isTyping && $0.bytes.starts(with: word.bytes) }
    }
  }
}

/// What another app shared: an address, text, or both.
struct SharedText {
  private let fields: FormFields

  init(_ fields: FormFields) {
    self.fields = fields
  }

  /// The comic whose address was shared; otherwise a search for the text.
  ///
  /// The page of a number without a comic says so.
  func link(in archive: Archive) -> Link {
    let names: [Text] = ["url", "text", "title"]
    for name in names {
      if let link = fields[name].flatMap({ Self.link(to: $0.bytes, in: archive) }) { return link }
    }
    for name in names {
      if let words = fields[name], !words.isEmpty { return .search(Link.Search(text: words, isDeep: false)) }
    }
    return .latest
  }

  /// The comic of the first address in a text, by its number or its picture.
  private static func link(to bytes: ArraySlice<UInt8>, in archive: Archive) -> Link? {
    let lowered = bytes.map { $0.lowercasedASCII }
    for start in lowered.indices where start == 0 || !ComicAddress.isPartOfHost(lowered[start - 1]) {
      let rest = lowered[start...]
      if rest.starts(with: pictures.bytes) {
        // The name in its own case, without the mark of double size.
        let name = bytes.dropFirst(start + pictures.count).prefix { $0 > 0x20 && $0 != UInt8(ascii: "?") }
        if let link = comic(ofPicture: name, in: archive) { return link }
      }
      guard let number = ComicAddress.number(in: lowered[...], at: start) else { continue }
      if number == 404 { return .missingNumber }
      if let number = Comic.Number(number) { return .comic(number) }
    }
    return nil
  }

  private static let pictures: Text = "imgs.xkcd.com/comics/"

  private static func comic(ofPicture name: ArraySlice<UInt8>, in archive: Archive) -> Link? {
    guard !name.isEmpty else { return nil }
    let doubled: Text = "_2x."
    let start = name.firstIndex(of: Array(doubled.bytes), from: name.startIndex)
    let plain = start.map { Array(name[..<$0]) + name[($0 + 3)...] } ?? Array(name)
    let path = ("/comics/" + Text(plain)).bytes
    var link: Link?
    archive.visit { comic in
      if comic.pictureAddress.bytes.suffix(path.count).elementsEqual(path) { link = .comic(comic.number) }
      return link == nil
    }
    return link
  }
}
