// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A page that only a server can answer: about its copy of a library, or with what explain xkcd says.
///
/// The service worker passes these addresses on, as it does with all that ``respond(to:archive:library:shelf:)`` does not
/// know.
public enum ServerPage: Equatable, Sendable {
  /// The whole explanation of a comic.
  case explanation(ShownExplanation, name: Text)
  /// The link by which another device joins.
  case move(MoveOffer)
  /// What will happen to whoever joins, and the question whether to.
  case join(code: Text, JoinPreview)
  /// What has happened to who joined: so many favourites are shared now.
  case joined(favorites: Int)
  /// Why a link to join doesn't work.
  case joinRefused(JoinRefusal)
  /// The form for a file to import.
  case importing
  /// What was taken from a file.
  case imported(ImportSummary)
  /// Why nothing was taken, as a sentence.
  case importRefused(Text)
  /// What can be followed in a feed reader.
  case feeds(FeedsOffer)
}

/// Renders a page that only a server can answer.
/// - Parameters:
///   - page: what it says.
///   - request: what was asked for.
///   - archive: all comics' text.
///   - library: what the reader did, for the looks of the page.
///   - shelf: whatever else the host has at hand.
public func respond(
  with page: ServerPage,
  to request: Request,
  archive: Archive,
  library: Library,
  shelf: Shelf
) -> Response {
  let reader = Reader(library: library, isRemembered: request.isRemembered, notice: nil)
  func frame(_ page: some Page) -> HTML {
    Frame(
      page: page,
      isSampleBox: archive.isSampleBox,
      shelf: shelf,
      reader: reader,
      address: request.address
    )
    .html
  }
  switch page {
  case .explanation(let explanation, let name):
    return Response(status: explanation.status, page: frame(ExplanationPage(explanation, name: name)))
  case .move(let offer): return Response(page: frame(MovePage(offer: offer)))
  case .join(let code, let preview): return Response(page: frame(JoinPage(code: code, preview: preview)))
  case .joined(let favorites): return Response(page: frame(JoinedPage(favorites: favorites)))
  case .joinRefused(let refusal):
    return Response(status: refusal.status, page: frame(JoinRefusedPage(refusal: refusal)))
  case .importing: return Response(page: frame(ImportPage()))
  case .imported(let summary): return Response(page: frame(ImportPage(outcome: .done(summary))))
  case .importRefused(let problem):
    return Response(status: 400, page: frame(ImportPage(outcome: .refused(problem))))
  case .feeds(let offer):
    let page = FeedsPage(offer: offer)
    return Response(status: offer.refusal == nil ? 200 : 400, page: frame(page))
  }
}
