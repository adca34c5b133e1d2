// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A list of comics that the pager of a comic's page goes through, named by the field `in` of the page's address.
///
/// Lists by year, day or filter are in the order of the comics' numbers, so that *next* is the newer comic, as everywhere.
/// The others have their own order.
public enum ReadingList: Equatable, Sendable {
  /// The favorites, in the order that the reader chose last; those of a year by number.
  case favorites(year: Int? = nil)
  /// The favorites with some words, in the same order.
  case favoritesWith(Text)
  /// The comics that the reader has not read.
  case unread(year: Int? = nil)
  /// The comics whose picture is stored on this device.
  case downloaded(year: Int? = nil)
  case year(Int)
  /// The comics of a day, of any year.
  case day(DayOfYear)
  /// The comics with a character or topic, by its key.
  case topic(Text, isUnreadOnly: Bool = false)
  /// What a search has found, best first.
  case search(Text, isDeep: Bool)

  /// The maximum length of a search that can be read through, in bytes; an address has to fit into a form's field.
  private static let longestSearch = 80
  /// The maximum number of results to read through.
  private static let mostResults = 1_000

  /// The list that an overview shows; nil for all comics.
  public init?(_ overview: Link.Overview) {
    if let day = overview.day {
      self = .day(day)
      return
    }
    switch overview.filter {
    case .all:
      guard let year = overview.year else { return nil }
      self = .year(year)
    case .unread: self = .unread(year: overview.year)
    case .favorites: self = .favorites(year: overview.year)
    case .downloaded: self = .downloaded(year: overview.year)
    }
  }

  /// The favorites that a page of them shows.
  init(_ favorites: Link.Favorites) {
    let isShort = favorites.text.count <= Self.longestSearch
    self = favorites.text.isEmpty || !isShort ? .favorites() : .favoritesWith(favorites.text)
  }

  /// The results of a search; nil if there is none, or its text is too long.
  public init?(_ search: Link.Search) {
    guard !search.text.isEmpty, search.text.count <= Self.longestSearch else { return nil }
    self = .search(search.text, isDeep: search.isDeep == true)
  }

  /// Parses the field of an address; nil if it names no list.
  init?(_ word: Text) {
    if let text = Self.rest(of: word, after: "search-") {
      self.init(Link.Search(text: Text(text.bytes.trimmed()), isDeep: false))
    } else if let text = Self.rest(of: word, after: "deep-") {
      self.init(Link.Search(text: Text(text.bytes.trimmed()), isDeep: true))
    } else if let text = Self.rest(of: word, after: "favorites-with-") {
      self.init(Link.Favorites(text: Text(text.bytes.trimmed())))
    } else if let key = Self.rest(of: word, after: "topic-") {
      self.init(topic: key, isUnreadOnly: false)
    } else if let key = Self.rest(of: word, after: "unread-topic-") {
      self.init(topic: key, isUnreadOnly: true)
    } else if let day = DayOfYear(word) {
      self = .day(day)
    } else if let year = word.number {
      self = .year(year)
    } else {
      let parts = word.bytes.split(separator: UInt8(ascii: "-"), maxSplits: 1).map { Text($0) }
      let year = parts.count > 1 ? parts[1].number : nil
      guard let name = parts.first, parts.count == 1 || year != nil else { return nil }
      switch name {
      case "favorites": self = .favorites(year: year)
      case "unread": self = .unread(year: year)
      case "downloaded": self = .downloaded(year: year)
      default: return nil
      }
    }
  }

  private init?(topic: Text, isUnreadOnly: Bool) {
    let key = Topic.key(of: topic)
    guard !key.isEmpty else { return nil }
    self = .topic(key, isUnreadOnly: isUnreadOnly)
  }

  private static func rest(of word: Text, after start: Text) -> Text? {
    word.bytes.starts(with: start.bytes) ? Text(word.bytes.dropFirst(start.count)) : nil
  }

  /// The field of an address, such as `in=favorites`.
  var field: Text {
    switch self {
    case .favorites(let year): "in=favorites" + Self.ending(year)
    case .unread(let year): "in=unread" + Self.ending(year)
    case .downloaded(let year): "in=downloaded" + Self.ending(year)
    case .year(let year): "in=" + Text(decimal: year)
    case .day(let day): "in=" + day.text
    case .favoritesWith(let text): "in=favorites-with-" + FormEncoding.encode(text)
    case .topic(let key, let isUnreadOnly):
      (isUnreadOnly ? "in=unread-topic-" : "in=topic-") + FormEncoding.encode(key)
    case .search(let text, let isDeep): (isDeep ? "in=deep-" : "in=search-") + FormEncoding.encode(text)
    }
  }

  private static func ending(_ year: Int?) -> Text { year.map { "-" + Text(decimal: $0) } ?? .empty }
}

extension ReadingList {
  /// The page that shows the whole list.
  var page: Link {
    switch self {
    case .favorites(nil): .favorites
    case .favorites(let year): .overview(.init(year: year, filter: .favorites))
    case .unread(let year): .overview(.init(year: year, filter: .unread))
    case .downloaded(let year): .overview(.init(year: year, filter: .downloaded))
    case .year(let year): .overview(.init(year: year))
    case .day(let day): .overview(.init(day: day))
    case .favoritesWith(let text): .favoriteList(.init(text: text))
    case .topic(let key, let isUnreadOnly): .topic(key, isUnreadOnly: isUnreadOnly)
    case .search(let text, let isDeep): .search(.init(text: text, isDeep: isDeep))
    }
  }

  /// The name, as in "Favorites 3 of 27".
  func name(in archive: Archive) -> Text {
    switch self {
    case .favorites(let year): Self.name("Favorites", year)
    case .unread(let year): Self.name("Unread", year)
    case .downloaded(let year): Self.name("Downloaded", year)
    case .year(let year): Text(decimal: year)
    case .day(let day): day.spelled
    case .favoritesWith(let text): "Favorites with “" + text + "”"
    case .topic(let key, let isUnreadOnly):
      (isUnreadOnly ? "Unread: " : .empty) + (archive.topic(key)?.topic.name ?? key)
    case .search(let text, _): "“" + text + "”"
    }
  }

  private static func name(_ name: Text, _ year: Int?) -> Text {
    year.map { name + " of " + Text(decimal: $0) } ?? name
  }

  /// What has to be loaded before the members are known.
  func needs(archive: Archive, library: Library) -> [Need] {
    switch self {
    case .downloaded: storedComics
    case .search: question(archive: archive, library: library).map { [.search($0)] } ?? []
    case .favorites, .favoritesWith, .unread, .year, .day, .topic: []
    }
  }

  /// An array made at run time, see `NeedList`.
  @inline(never) private var storedComics: [Need] {
    let need = Need.storedComics
    return [need]
  }

  /// The search for all results, without what only a page of results shows.
  private func question(archive: Archive, library: Library) -> SearchQuestion? {
    guard case .search(let text, let isDeep) = self else { return nil }
    let fields = Link.Search(text: text, isDeep: isDeep)
    guard var question = ComicSearch(fields, archive: archive, library: library).question else { return nil }
    question.limit = Self.mostResults
    question.mostInTexts = 0
    question.hasSnippets = false
    return question
  }

  /// Whether it has results of a deep search that had no explanations to look at, so that another host may know more of them.
  func isPartial(archive: Archive, library: Library, loaded: Loaded) -> Bool {
    guard case .search(_, isDeep: true) = self, let question = question(archive: archive, library: library),
      case .results(let results)? = loaded[.search(question)]
    else { return false }
    return !results.hasExplanations && !results.isByDate
  }

  /// The comics of the list, in its order; nil if this host doesn't know them.
  ///
  /// - Parameter current: the comic that is read; it keeps its place in a list by number that it has left, as a comic leaves
  ///   the unread ones while it is read.
  func members(
    archive: Archive,
    library: Library,
    loaded: Loaded,
    current: Comic.Number? = nil
  ) -> [Comic.Number]? {
    switch self {
    case .favorites(nil): return favorites(with: .empty, archive, library)
    case .favoritesWith(let text): return favorites(with: text, archive, library)
    case .favorites(let year):
      return comics(of: archive, in: year) { $0.number == current || library.isFavorite($0.number) }
    case .unread(let year):
      let marks = library.readMarks
      return comics(of: archive, in: year) { $0.number == current || !marks.isRead($0.number) }
    case .downloaded(let year):
      guard let stored = loaded.storedComics else { return nil }
      return comics(of: archive, in: year) { $0.number == current || stored.contains($0.number) }
    case .year(let year): return comics(of: archive, in: year) { _ in true }
    case .day(let day):
      return comics(of: archive, in: nil) { comic in comic.date.map { DayOfYear($0) } == day }
    case .topic(let key, let isUnreadOnly):
      let having = archive.comics(about: key)
      let marks = library.readMarks
      return comics(of: archive, in: nil) { comic in
        having.contains(comic.number)
          && (!isUnreadOnly || comic.number == current || !marks.isRead(comic.number))
      }
    case .search:
      guard let question = question(archive: archive, library: library),
        case .results(let results)? = loaded[.search(question)]
      else { return nil }
      return results.hits.map { $0.number }
    }
  }

  private func favorites(with words: Text, _ archive: Archive, _ library: Library) -> [Comic.Number] {
    FavoritesPage.entries(archive: archive, library: library, order: FavoriteOrder(in: library))
      .filter { words.isEmpty || $0.has(words) }.map { $0.favorite.comic }
  }

  private func comics(
    of archive: Archive,
    in year: Int?,
    where isMember: (ArchivedComic) -> Bool
  ) -> [Comic.Number] {
    var numbers: [Comic.Number] = []
    archive.visit { comic in
      if year == nil || comic.date?.year ?? 0 == year, isMember(comic) { numbers.append(comic.number) }
      return true
    }
    return numbers
  }
}

/// The place of a comic in a list that is read through.
struct ListPlace: Equatable {
  let list: ReadingList
  let name: Text
  /// The position from 1 on; nil if the comic isn't in the list, or no longer.
  let position: Int?
  let count: Int
  /// The first of the list; nil on its own page, as the others.
  let first: Comic.Number?
  let previous: Comic.Number?
  /// The next one; the list's first if the comic isn't in it.
  let next: Comic.Number?
  let last: Comic.Number?

  /// Finds a comic's place; nil if the list has no comic.
  init?(of comic: Comic.Number, in list: ReadingList, _ members: [Comic.Number], _ archive: Archive) {
    guard let first = members.first, let last = members.last else { return nil }
    self.list = list
    name = list.name(in: archive)
    count = members.count
    let index = members.firstIndex(of: comic)
    position = index.map { $0 + 1 }
    self.first = first == comic ? nil : first
    self.last = last == comic ? nil : last
    if let index {
      previous = index > 0 ? members[index - 1] : nil
      next = index + 1 < members.count ? members[index + 1] : nil
    } else {
      previous = nil
      next = first
    }
  }

  /// The strip over the comic: the list, the place in it, and the way out of it.
  func strip(over comic: Comic.Number) -> HTML {
    div(.class("list-strip"), .role("group"), .label("List")) {
      p {
        a(.href(list.page)) { bdi { name } }
        " "
        if let position { Text(grouped: position) + " of " }
        Text(grouped: count)
      }
      a(.class("button"), .href(.comic(comic)), .label("Leave this list")) {
        Icon.close.html(named: "Leave this list")
      }
    }
  }
}
