// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

/// Made-up comics with the irregularities of real ones.
enum Fixtures {
  /// An ordinary comic.
  static func comic(_ value: Int, title: Text = "A Title", address: Text? = nil) throws -> Comic {
    let number = try #require(Comic.Number(value))
    let date = try #require(
      CalendarDate(year: 2006 + value / 160, month: 1 + value % 12, day: 1 + value % 28)
    )
    var comic = Comic(number: number, date: date, title: title, alt: "What is said on hovering.")
    comic.pictureAddress = address ?? "https://imgs.xkcd.com/comics/" + Text(decimal: value) + ".png"
    comic.picture = PictureFacts(width: 740, height: 400, byteCount: 40_000, format: .png, version: 0xAB12)
    return comic
  }

  /// An archive of comics 1 to a number without 404, some of them changed.
  static func archive(
    upTo latest: Int,
    isSampleBox: Bool = false,
    isSearchable: Bool = false,
    changing changes: [Int: (inout Comic) -> Void] = [:]
  ) throws -> Archive {
    var writer = SegmentWriter()
    var comics: [Comic] = []
    for value in 1...latest where value != 404 {
      var comic = try comic(value)
      changes[value]?(&comic)
      try writer.append(comic)
      comics.append(comic)
    }
    if isSearchable { writer.searchIndex = SearchIndexWriter.index(of: comics) }
    return try Archive(Segment(writer.finish(.init(revision: 1, isSampleBox: isSampleBox))))
  }

  static func page(_ value: Int, in archive: Archive) throws -> ComicPage {
    let number = try #require(Comic.Number(value))
    return ComicPage(try #require(archive.comic(number)), in: archive)
  }
}

extension Response {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// A host that loads what a test gives it, and searches the archive.
struct TestHost {
  var archive: Archive
  /// The archive after a need was loaded with the value `.archived`.
  var laterArchive: Archive?
  var context = PageContext()
  var canSearch = true
  /// Loads a need; nil means unavailable.
  var load: (Need) -> Loaded.Value? = { _ in nil }
  /// The needs of the last answer.
  private(set) var asked: [Need] = []

  init(_ archive: Archive) {
    self.archive = archive
  }

  /// Loads the needs of an answer, and renders it once.
  ///
  /// It fails if something is asked for twice or in too many rounds.
  mutating func respond(to request: Request, library: inout Replica) -> Response {
    let route = Route(request)
    var loaded = Loaded()
    asked = []
    for _ in 0...6 {
      let lacking = needs(
        of: route,
        in: request,
        archive: archive,
        library: library.library,
        loaded: loaded,
        isOffline: context.isOffline
      )
      guard !lacking.isEmpty else {
        return render(
          route,
          in: request,
          archive: archive,
          library: &library,
          loaded: loaded,
          context: context
        )
      }
      for need in lacking {
        #expect(!asked.contains(need), "asked twice for \(request.address)")
        asked.append(need)
        loaded.insert(value(of: need), for: need)
      }
    }
    Issue.record("more than six rounds for \(request.address): \(asked)")
    return render(route, in: request, archive: archive, library: &library, loaded: loaded, context: context)
  }

  private mutating func value(of need: Need) -> Loaded.Value {
    if let value = load(need) {
      if value == .archived, let laterArchive { archive = laterArchive }
      return value
    }
    guard canSearch, case .search(let question) = need else { return .unavailable }
    return .results(Search(archive: archive).results(for: question))
  }
}

/// The answer to a reader without a library.
func respond(
  to request: Request,
  archive: Archive,
  context: PageContext = PageContext(),
  load: @escaping (Need) -> Loaded.Value? = { _ in nil }
) -> Response {
  var library = Replica(device: 1)
  var host = TestHost(archive)
  host.context = context
  host.load = load
  return host.respond(to: request, library: &library)
}
