// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Renders the response to a request, and makes the library changes that the request implies.
///
/// The server calls it for the first visit, and the installed app's service worker for later ones, so both
/// behave alike. It does no I/O. A host calls it after loading what
/// ``needs(of:in:archive:library:loaded:isOffline:)`` returns: once per request, or again if the stored library
/// was changed in the meantime.
///
/// Forms change `library`; the host stores it before it sends the response. If the reader is remembered, pages
/// note in it what was viewed, such as a comic, an artist or the notice.
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

/// Renders a page that only the server has, in the usual frame.
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
    case .exportLibrary: return Response(file: LibraryDocument(library.library, exported: request.now))
    case .importLibrary where request.method == .post: return importLibrary()
    default: return page(route)
    }
  }

  // Forms

  /// Applies a form's edit, and redirects to the page with the form.
  private mutating func form(_ address: EditAddress) -> Response {
    let fields = FormFields(request.body)
    let rejection: MessagePage
    if address == .readOlder, let typed = fields["comic"].map({ Text($0.bytes.trimmed()) }),
      case .rejected(let problem) = Choice(typed, latest: archive.latest?.number)
    {
      rejection = MessagePage(problem, typed: typed)
    } else if let edit = Edit(address, fields: fields) {
      let back = Response(redirect: 303, to: BackAddress.link(fields["back"]))
      // xkcd has other comics under the samples' numbers, so viewing a sample counts for nothing.
      if address == .viewed, archive.isSampleBox { return back }
      let lost = edit.favoritesLost(from: library.library, at: library.editTime(at: request.now))
      if !lost.isEmpty, fields[EditForm.confirmed] == nil { return question(about: lost) }
      do throws(LibraryError) {
        try edit.apply(to: &library, at: request.now)
        return back
      } catch {
        rejection = .rejectedEdit(error)
      }
    } else {
      rejection = .unreadableForm
    }
    return Response(status: 400, page: frame().html(rejection))
  }

  /// Asks before favorites are removed for good.
  private func question(about favorites: [Comic.Number]) -> Response {
    let page = ConfirmationPage(removing: favorites, site: context.site)
    var response = Response(page: frame(address: page.parent.link.address).html(page))
    response.caching = .never
    return response
  }

  /// Imports the library's file in a form, and shows the result.
  private mutating func importLibrary() -> Response {
    let outcome: ImportPage.Outcome
    do throws(ImportRejection) {
      outcome = .done(try importResult())
    } catch {
      outcome = .rejected(error)
    }
    var response = Response(
      status: outcome.status,
      page: frame(address: Link.importLibrary.address).html(ImportPage(outcome: outcome))
    )
    response.caching = .never
    return response
  }

  private mutating func importResult() throws(ImportRejection) -> ImportResult {
    guard request.body.count <= LibraryDocument.lengthLimit else { throw ImportRejection(.tooLong) }
    let document = try ImportForm.document(in: request.body)
    do throws(LibraryError) {
      // With samples only, the number of comics is unknown.
      let latest = archive.isSampleBox ? nil : archive.latest?.number
      return try document.merge(into: &library, latest: latest, at: request.now)
    } catch {
      throw ImportRejection(.notStored(error))
    }
  }

  /// Plays one step of a quiz.
  ///
  /// The form carries the quiz's state; a finished quiz is recorded in the library.
  private mutating func quiz(on album: StoreID, _ country: StoreCountry?) -> Response {
    switch loaded[.quizAlbum(album, country)] {
    case .album(let page)?:
      guard let tracks = page.tracks else { return albumPage(page, album) }
      let visit = QuizVisit(tracks, in: request, library: library.library, loaded: loaded)
      return respond(to: visit)
    default: return notOnDevice
    }
  }

  private mutating func respond(to visit: QuizVisit) -> Response {
    var turn = QuizTurn(visit, in: request, library.library)
    if turn.isEnded, let result = turn.game?.result {
      let editTime = library.editTime(at: request.now)
      do throws(LibraryError) {
        try library.library.record(result, at: editTime)
      } catch {
        turn.message = "Your library is full, so this result wasn’t saved."
      }
    }
    let page = QuizPage(visit: visit, turn: turn, library: library.library, now: request.now)
    var response = Response(
      status: turn.error == nil ? 200 : 400,
      page: frame(address: visit.path).html(page)
    )
    response.caching = .never
    return response
  }

  // Pages

  /// Renders a page, and records what the reader has seen.
  private mutating func page(_ route: Route) -> Response {
    let notice =
      request.isRemembered && !request.isPrefetch ? Notice.pending(in: library.library, at: request.now) : nil
    var reader = Reader(library: library.library, isRemembered: request.isRemembered, notice: notice)
    reader.recordsViews = request.recordsViews && !archive.isSampleBox
    let pages = PageRenderer(
      request: request,
      archive: archive,
      loaded: loaded,
      context: context,
      reader: reader
    )
    let response = pages.response(to: route)
    guard request.isRemembered, !request.isPrefetch else { return response }
    if response.location.isEmpty { Notice.markShown(in: &library, at: request.now) }
    let editTime = library.editTime(at: request.now)
    // The page is shown even if the library is full.
    if let comic = response.viewed, reader.reads(comic) {
      _ = try? library.library.markViewed(comic, at: editTime)
      try? library.library.noteInHistory(comic, at: editTime)
      // A page that offers to continue with another comic leaves that comic as the reader's place.
      if pages.continuation(on: route) == nil { try? library.library.notePlace(comic, at: editTime) }
    }
    if case .favoriteList(let view) = route { try? view.order?.keep(in: &library, at: request.now) }
    if let artist = response.artist { try? library.library.noteRecent(artist, at: editTime) }
    return response
  }

  private func albumPage(_ page: AlbumPage, _ album: StoreID) -> Response {
    var page = page
    page.album = album
    page.isSaved = library.library.hasSaved(album)
    return Response(page, in: frame())
  }

  private var notOnDevice: Response { .notOnDevice(in: frame()) }

  /// The frame of a page without a notice.
  private func frame(address: Text? = nil) -> Frame {
    let reader = Reader(library: library.library, isRemembered: request.isRemembered, notice: nil)
    return Frame(archive: archive, context: context, reader: reader, address: address ?? request.address)
  }
}
