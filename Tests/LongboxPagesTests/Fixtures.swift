// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

/// Comics of our own making, odd in the ways that the real ones are.
enum Fixtures {
  /// A comic that is like most.
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

  /// An archive of comics 1 to a number with no 404, some of them changed.
  static func archive(
    upTo latest: Int,
    isSampleBox: Bool = false,
    changing changes: [Int: (inout Comic) -> Void] = [:]
  ) throws -> Archive {
    var writer = SegmentWriter()
    for value in 1...latest where value != 404 {
      var comic = try comic(value)
      changes[value]?(&comic)
      try writer.append(comic)
    }
    return try Archive(Segment(writer.finish(.init(revision: 1, isSampleBox: isSampleBox))))
  }

  /// The page's model of a comic in an archive.
  static func page(_ value: Int, in archive: Archive) throws -> ComicPage {
    let number = try #require(Comic.Number(value))
    return ComicPage(try #require(archive.comic(number)), in: archive)
  }
}

extension Response {
  /// The page as a string.
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// A host that loads what a test gives it, and searches the archive itself.
struct TestHost {
  /// All comics' text.
  var archive: Archive
  /// The archive after something came into it, for a need whose value is `.archived`.
  var laterArchive: Archive?
  /// What the host tells every page.
  var context = PageContext()
  /// Whether it can search.
  var canSearch = true
  /// What it can load; nothing where it can't.
  var load: (Need) -> Loaded.Value? = { _ in nil }
  /// What was asked of it for the last answer.
  private(set) var asked: [Need] = []

  init(_ archive: Archive) {
    self.archive = archive
  }

  /// Loads what an answer needs, and renders it once.
  ///
  /// Whatever is asked for twice, or in too many rounds, is a fault.
  mutating func respond(to request: Request, library: inout Replica) -> Response {
    let route = Route(request)
    var loaded = Loaded()
    asked = []
    for _ in 0...6 {
      let lacking = needs(of: route, in: request, archive: archive, library: library.library, loaded: loaded)
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

/// The answer to a reader who has done nothing so far.
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
