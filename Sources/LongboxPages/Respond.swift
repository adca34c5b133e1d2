// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Answers a request: the whole of what Longbox shows, without any input or output.
///
/// The server calls it for a first visit, the service worker of the installed app for each one after that; so both show
/// the same.
/// - Parameters:
///   - request: what is asked for.
///   - archive: all comics' text.
///   - shelf: whatever else the host has at hand.
/// - Returns: a page or a redirect, and what it lacks.
public func respond(to request: Request, archive: Archive, shelf: Shelf) -> Response {
  Router(request: request, archive: archive, shelf: shelf).response
}

/// Finds the page that an address names.
private struct Router {
  let request: Request
  let archive: Archive
  let shelf: Shelf

  var response: Response {
    let parts = request.path.bytes.split(separator: UInt8(ascii: "/")).map { Text($0) }
    switch parts.count {
    case 0: return latest
    case 1: return page(named: parts[0])
    default: return notFound
    }
  }

  private func page(named name: Text) -> Response {
    switch name {
    case "random": return random
    case "go": return go
    case "comics": return overview
    case "about": return Response(page: frame(AboutPage(archive: archive, shelf: shelf)))
    default: return Self.looksLikeNumber(name) ? numbered(name) : notFound
    }
  }

  private static func looksLikeNumber(_ name: Text) -> Bool {
    var digits = name.bytes
    if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
    return !digits.isEmpty && digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }

  private var latest: Response {
    guard let comic = archive.latest else {
      return Response(status: 503, page: frame(MessagePage.nothingYet), needs: [.latest])
    }
    return page(of: comic, isLatest: true)
  }

  /// `/353/`; with another spelling of it, a redirect there.
  private func numbered(_ name: Text) -> Response {
    switch Choice(name, latest: archive.latest?.number) {
    case .number(let number):
      guard request.path == Link.comic(number).address else {
        return Response(redirect: 301, to: .comic(number))
      }
      return comic(number)
    case .missing(let latest):
      guard request.path == Link.missingNumber.address else {
        return Response(redirect: 301, to: .missingNumber)
      }
      return Response(status: 404, page: frame(MissingNumberPage(latest: latest)))
    case .refused(let problem): return Response(status: 404, page: frame(MessagePage(problem, typed: name)))
    case .nothingKnown: return latest
    }
  }

  private func comic(_ number: Comic.Number) -> Response {
    if let comic = archive.comic(number) { return page(of: comic, isLatest: false) }
    let page = MessagePage.notStored(number, latest: archive.latest?.number, source: shelf.source)
    return Response(status: 503, page: frame(page), needs: [.comic(number)])
  }

  private func page(of comic: ArchivedComic, isLatest: Bool) -> Response {
    let page = ComicPage(comic, in: archive)
    let needsPicture = page.picture == .unknown && !shelf.unavailable.contains(comic.number)
    return Response(page: frame(page), needs: needsPicture ? [.picture(comic.number)] : [])
  }

  private var random: Response {
    guard let latest = archive.latest?.number else { return self.latest }
    let ordinal = Int(truncatingIfNeeded: request.chance % UInt64(latest.ordinal)) + 1
    return Response(redirect: 303, to: .comic(Comic.Number(ordinal: ordinal) ?? latest))
  }

  /// The form for a number.
  private var go: Response {
    let typed = Text((request.field("number") ?? .empty).bytes.trimmed())
    switch Choice(typed, latest: archive.latest?.number) {
    case .number(let number): return Response(redirect: 303, to: .comic(number))
    case .missing: return Response(redirect: 303, to: .missingNumber)
    case .refused(let problem):
      return Response(status: problem.status, page: frame(MessagePage(problem, typed: typed)))
    case .nothingKnown: return latest
    }
  }

  private var overview: Response {
    var overview = Link.Overview()
    if let view = request.field("view") {
      guard view == "list" || view == "grid" else { return notFound }
      overview.view = view == "list" ? .list : .grid
    }
    if let year = request.field("year"), !year.isEmpty {
      guard let year = year.number else { return notFound }
      overview.year = year
    }
    let page = OverviewPage(overview, archive: archive, shelf: shelf)
    guard overview.year == nil || !page.years.isEmpty else { return notFound }
    return Response(page: frame(page))
  }

  private var notFound: Response {
    Response(status: 404, page: frame(MessagePage.noSuchPage(latest: archive.latest?.number)))
  }

  private func frame(_ page: some Page) -> HTML {
    Frame(page: page, isSampleBox: archive.isSampleBox, shelf: shelf).html
  }
}
