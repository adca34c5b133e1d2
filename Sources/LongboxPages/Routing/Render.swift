// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Renders the answer to a request, and makes the changes to the library that it brings with it.
///
/// The server calls it for a first visit, the service worker of the installed app for each one after that; so both show
/// and do the same. It does no input and no output, and a host calls it once for each request, after it has loaded what
/// ``needs(of:in:archive:library:loaded:)`` says.
/// - Parameters:
///   - route: what is asked for.
///   - request: the request that was parsed.
///   - archive: all comics' text.
///   - library: what the reader did. A form changes it, and so does viewing a comic where the reader is remembered; the
///     host stores it before it passes the answer on.
///   - loaded: what has been loaded for the answer.
///   - context: what the host tells every page.
/// - Returns: a page or a redirect.
public func render(
  _ route: Route,
  in request: Request,
  archive: Archive,
  library: inout Replica,
  loaded: Loaded,
  context: PageContext
) -> Response {
  var renderer = Renderer(
    request: request,
    archive: archive,
    library: library,
    loaded: loaded,
    context: context
  )
  let response = renderer.response(to: route)
  library = renderer.library
  return response
}

/// Renders a page whose content only the server has, in the frame of all other pages.
/// - Parameters:
///   - page: what it says.
///   - request: what was asked for.
///   - archive: all comics' text.
///   - library: what the reader did, for the looks of the page.
///   - context: what the host tells every page.
public func render(
  _ page: ServerPage,
  in request: Request,
  archive: Archive,
  library: Library,
  context: PageContext
) -> Response {
  let reader = Reader(library: library, isRemembered: request.isRemembered, notice: nil)
  let frame = Frame(archive: archive, context: context, reader: reader, address: request.address)
  return Response(status: page.status, page: page.html(in: frame))
}

/// Renders one answer.
private struct Renderer {
  let request: Request
  let archive: Archive
  var library: Replica
  let loaded: Loaded
  let context: PageContext

  mutating func response(to route: Route) -> Response {
    switch route {
    case .form(let address): return form(address)
    case .unknownForm: return Response(elsewhere: 400, page: frame().html(MessagePage.unreadableForm))
    case .quiz(let album, let country): return quiz(on: album, country)
    default: return page(route)
    }
  }

  // Forms

  /// Does what a form asks for, and leads back to the page that it stands on.
  private mutating func form(_ address: EditAddress) -> Response {
    let fields = FormFields(request.body)
    let refusal: MessagePage
    if address == .readOlder, let typed = fields["comic"].map({ Text($0.bytes.trimmed()) }),
      case .refused(let problem) = Choice(typed, latest: archive.latest?.number)
    {
      refusal = MessagePage(problem, typed: typed)
    } else if let edit = Edit(address, fields: fields) {
      do throws(LibraryError) {
        try edit.apply(to: &library, at: request.now)
        return Response(redirect: 303, to: BackAddress.link(fields["back"]))
      } catch {
        refusal = .refusedEdit(error)
      }
    } else {
      refusal = .unreadableForm
    }
    return Response(status: 400, page: frame().html(refusal))
  }

  /// Plays a turn of a quiz.
  ///
  /// The quiz's state goes with the form; one that ends is recorded in the library.
  private mutating func quiz(on album: StoreID, _ country: StoreCountry?) -> Response {
    switch loaded[.quizAlbum(album, country)] {
    case .album(let page)?:
      guard let tracks = page.tracks else { return albumPage(page, album) }
      let visit = QuizVisit(tracks, in: request, library: library.library, loaded: loaded)
      return respond(to: visit)
    default: return notHere
    }
  }

  private mutating func respond(to visit: QuizVisit) -> Response {
    var turn = QuizTurn(visit, in: request, library.library)
    if turn.isEnded, let result = turn.game?.result {
      let moment = library.moment(at: request.now)
      do throws(LibraryError) {
        try library.library.record(result, at: moment)
      } catch {
        turn.message = "Your library is full, so that this result could not be kept."
      }
    }
    let page = QuizPage(visit: visit, turn: turn, library: library.library, now: request.now)
    var response = Response(
      status: turn.error == nil ? 200 : 400,
      page: frame(address: visit.path).html(page)
    )
    response.keeping = .never
    return response
  }

  // Pages

  /// Renders a page, and notes what its reader has seen by it.
  private mutating func page(_ route: Route) -> Response {
    let notice =
      request.isRemembered && !request.isAhead ? Notice.pending(in: library.library, at: request.now) : nil
    let reader = Reader(library: library.library, isRemembered: request.isRemembered, notice: notice)
    let pages = PageRenderer(
      request: request,
      archive: archive,
      loaded: loaded,
      context: context,
      reader: reader
    )
    let response = pages.response(to: route)
    guard request.isRemembered, !request.isAhead else { return response }
    if response.location.isEmpty { Notice.markShown(in: &library, at: request.now) }
    let moment = library.moment(at: request.now)
    // A full library is no reason not to show a comic or an artist.
    if let comic = response.viewed, reader.reads(comic) {
      _ = try? library.library.markViewed(comic, at: moment)
      try? library.library.notePlace(comic, at: moment)
    }
    if let artist = response.artist { try? library.library.noteRecent(artist, at: moment) }
    return response
  }

  private func albumPage(_ page: AlbumPage, _ album: StoreID) -> Response {
    var page = page
    page.album = album
    page.isSaved = library.library.hasSaved(album)
    return Response(page, in: frame())
  }

  private var notHere: Response { .notHere(in: frame()) }

  /// The frame around a page that shows no notice.
  private func frame(address: Text? = nil) -> Frame {
    let reader = Reader(library: library.library, isRemembered: request.isRemembered, notice: nil)
    return Frame(archive: archive, context: context, reader: reader, address: address ?? request.address)
  }
}
