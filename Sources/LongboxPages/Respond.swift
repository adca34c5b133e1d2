// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Answers a request: the whole of what Longbox shows and does, without any input or output.
///
/// The server calls it for a first visit, the service worker of the installed app for each one after that; so both show
/// and do the same.
/// - Parameters:
///   - request: what is asked for.
///   - archive: all comics' text.
///   - library: what the reader did. A form changes it, and so does viewing a comic where the reader is remembered; the
///     host then stores it before it passes the answer on.
///   - shelf: whatever else the host has at hand.
/// - Returns: a page or a redirect, and what it lacks.
public func respond(
  to request: Request,
  archive: Archive,
  library: inout Replica,
  shelf: Shelf
) -> Response {
  switch request.method {
  case .post: return respond(toFormIn: request, archive: archive, library: &library, shelf: shelf)
  case .get: break
  }
  let notice =
    request.isRemembered && !request.isAhead ? Notice.take(from: &library, at: request.now) : nil
  let reader = Reader(library: library.library, isRemembered: request.isRemembered, notice: notice)
  let router = PageRouter(request: request, archive: archive, shelf: shelf, reader: reader)
  let response = router.response
  if let comic = response.viewed, reader.reads(comic), !request.isAhead {
    let moment = library.moment(at: request.now)
    // A full library is no reason not to show a comic.
    _ = try? library.library.markViewed(comic, at: moment)
    _ = try? library.library.setPlace(comic, at: moment)
  }
  return response
}

/// Whether a form may be sent to a path; to all others a request can only ask for a page.
public func acceptsForm(at path: Text) -> Bool {
  Edit.Address.allCases.contains { $0.path == path }
}

/// Does what a form asks for, and leads back to the page that it stood on.
private func respond(
  toFormIn request: Request,
  archive: Archive,
  library: inout Replica,
  shelf: Shelf
) -> Response {
  let fields = FormFields(request.body)
  let refusal: MessagePage
  if request.path == Edit.Address.readOlder.path,
    let typed = fields["comic"].map({ Text($0.bytes.trimmed()) }),
    case .refused(let problem) = Choice(typed, latest: archive.latest?.number)
  {
    refusal = MessagePage(problem, typed: typed)
  } else if let edit = Edit(path: request.path, fields: fields) {
    do throws(LibraryError) {
      try edit.apply(to: &library, at: request.now)
      return Response(redirect: 303, to: BackAddress.link(fields["back"]))
    } catch {
      refusal = .refusedEdit(error)
    }
  } else {
    refusal = .unreadableForm
  }
  let reader = Reader(library: library.library, isRemembered: request.isRemembered, notice: nil)
  let frame = Frame(
    page: refusal,
    isSampleBox: archive.isSampleBox,
    shelf: shelf,
    reader: reader,
    address: request.address
  )
  return acceptsForm(at: request.path)
    ? Response(status: 400, page: frame.html) : Response(unknownHere: 400, page: frame.html)
}

/// Finds the page that an address names.
struct PageRouter {
  let request: Request
  let archive: Archive
  let shelf: Shelf
  let reader: Reader

  var response: Response {
    if let address = Edit.Address.allCases.first(where: { $0.path == request.path }),
      address != .clearFavorites
    {
      return Response(redirect: 303, to: address.home)
    }
    let parts = request.path.bytes.split(separator: UInt8(ascii: "/")).map { Text($0) }
    #if !hasFeature(Embedded)
    // On the device a module of its own answers this.
    if parts.first == "albums", let response = albums { return response }
    #endif
    switch parts.count {
    case 0: return latest
    case 1: return page(named: parts[0])
    case 2 where request.path == Link.clearFavorites.address:
      return Response(page: frame(ClearFavoritesPage(count: reader.library.favorites.count)))
    default: return notFound
    }
  }

  private func page(named name: Text) -> Response {
    switch name {
    case "random": return random
    case "on-this-day": return onThisDay
    case "go": return go
    case "comics": return overview
    case "continue": return Response(redirect: 303, to: resumed)
    case "favorites": return favorites
    case "search": return search
    case "settings": return Response(page: frame(SettingsPage(reader: reader)))
    case "about": return Response(page: frame(AboutPage(archive: archive, shelf: shelf)))
    case "share":
      let shared = SharedText(request.fields)
      return Response(redirect: 303, to: shared.link(upTo: archive.latest?.number))
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
    case .refused(let problem): return refused(problem, typed: name)
    case .nothingKnown: return latest
    }
  }

  private func comic(_ number: Comic.Number) -> Response {
    if let comic = archive.comic(number) { return page(of: comic, isLatest: false) }
    let page = MessagePage.notStored(number, latest: archive.latest?.number, shelf: shelf)
    return Response(status: 503, page: frame(page), needs: [.comic(number)])
  }

  private func page(of comic: ArchivedComic, isLatest: Bool) -> Response {
    let page = ComicPage(comic, in: archive, shelf: shelf, reader: reader)
    var needs = shelf.unavailable.contains(comic.number) ? [] : lacking(page, of: comic)
    if page.explanation == nil { needs.append(.explanation(comic.number)) }
    return Response(page: frame(page), viewed: comic.number, needs: needs)
  }

  private var favorites: Response {
    let page = FavoritesPage(archive: archive, shelf: shelf, reader: reader)
    var needs: [Need] = []
    for entry in page.entries where entry.explanation == nil {
      needs.append(.explanation(entry.favorite.comic))
    }
    return Response(page: frame(page), needs: needs)
  }

  /// The picture's size, and of an interactive comic its predecessor, whose picture its record may name.
  private func lacking(_ page: ComicPage, of comic: ArchivedComic) -> [Need] {
    var needs: [Need] = []
    if comic.isInteractive, let previous = comic.number.previous, archive.comic(previous) == nil,
      !shelf.unavailable.contains(previous)
    {
      needs.append(.comic(previous))
    }
    if page.picture == .unknown { needs.append(.picture(comic.number)) }
    return needs
  }

  /// The comic that the reader viewed last, else the newest.
  private var resumed: Link {
    reader.library.place.map { Link.comic($0.comic) } ?? .latest
  }

  private var random: Response {
    guard let latest = archive.latest?.number else { return self.latest }
    if request.fields["unread"] == "1", reader.isRemembered { return randomUnread }
    let ordinal = Int(truncatingIfNeeded: request.chance % UInt64(latest.ordinal)) + 1
    return Response(redirect: 303, to: .comic(Comic.Number(ordinal: ordinal) ?? latest))
  }

  private var randomUnread: Response {
    let marks = reader.library.readMarks
    var unread: [Comic.Number] = []
    archive.visit { comic in
      if !marks.isRead(comic.number) { unread.append(comic.number) }
      return true
    }
    guard !unread.isEmpty else { return Response(redirect: 303, to: .overview(.init(isUnreadOnly: true))) }
    return Response(
      redirect: 303,
      to: .comic(unread[Int(truncatingIfNeeded: request.chance % UInt64(unread.count))])
    )
  }

  private var onThisDay: Response {
    let day = CalendarDate(time: request.now).map { DayOfYear($0) }
    return Response(redirect: 303, to: .overview(.init(day: day)))
  }

  /// The form for a number.
  private var go: Response {
    let typed = Text((request.fields["number"] ?? .empty).bytes.trimmed())
    switch Choice(typed, latest: archive.latest?.number) {
    case .number(let number): return Response(redirect: 303, to: .comic(number))
    case .missing: return Response(redirect: 303, to: .missingNumber)
    case .refused(let problem): return refused(problem, typed: typed)
    case .nothingKnown: return latest
    }
  }

  /// Says why a number chooses no comic; of one that is too high another host may know more.
  private func refused(_ problem: Choice.Problem, typed: Text) -> Response {
    let page = frame(MessagePage(problem, typed: typed))
    if case .aboveLatest = problem { return Response(unknownHere: problem.status, page: page) }
    return Response(status: problem.status, page: page)
  }

  private var overview: Response {
    var overview = Link.Overview()
    if let view = request.fields["view"] {
      switch view {
      case "grid": overview.view = .grid
      case "list": overview.view = .list
      case "map": overview.view = .map
      default: return notFound
      }
    }
    if let day = request.fields["on"] {
      guard let day = DayOfYear(day) else { return notFound }
      overview.day = day
    }
    if let year = request.fields["year"], !year.isEmpty {
      guard let year = year.number else { return notFound }
      overview.year = year
    }
    overview.isUnreadOnly = request.fields["unread"] == "1"
    let page = OverviewPage(overview, archive: archive, shelf: shelf, reader: reader)
    guard overview.year == nil || overview.isUnreadOnly || overview.day != nil || !page.years.isEmpty else {
      return notFound
    }
    return Response(page: frame(page))
  }

  #if !hasFeature(Embedded)
  private var albums: Response? {
    AlbumRouter(request: request, isSampleBox: archive.isSampleBox, shelf: shelf, reader: reader).response
  }
  #endif

  private var notFound: Response {
    Response(unknownHere: 404, page: frame(MessagePage.noSuchPage(latest: archive.latest?.number)))
  }

  func frame(_ page: some Page) -> HTML { frame(MadePage(page)) }

  @inline(never)
  private func frame(_ page: MadePage) -> HTML {
    Frame(
      page,
      isSampleBox: archive.isSampleBox,
      shelf: shelf,
      reader: reader,
      address: request.address
    ).html
  }
}
