// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A page that only a server can answer: pairing, import, feeds, settings of albums.
///
/// On the device its address is a ``Route/server(_:)``, whose need leads to the server.
public enum ServerPage: Equatable, Sendable {
  /// The link by which another device joins.
  case move(MoveOffer)
  /// What joining will do, and the question whether to join.
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
  /// What a reader decides about albums.
  case albumSettings(ShownAlbumSettings)
}

extension ServerPage {
  /// The HTTP status.
  var status: Int {
    switch self {
    case .move, .join, .joined, .importing, .imported, .albumSettings: 200
    case .joinRefused(let refusal): refusal.status
    case .importRefused: 400
    case .feeds(let offer): offer.refusal == nil ? 200 : 400
    }
  }

  /// The page in its frame.
  func html(in frame: Frame) -> HTML {
    switch self {
    case .move(let offer): frame.html(MovePage(offer: offer))
    case .join(let code, let preview): frame.html(JoinPage(code: code, preview: preview))
    case .joined(let favorites): frame.html(JoinedPage(favorites: favorites))
    case .joinRefused(let refusal): frame.html(JoinRefusedPage(refusal: refusal))
    case .importing: frame.html(ImportPage())
    case .imported(let summary): frame.html(ImportPage(outcome: .done(summary)))
    case .importRefused(let problem): frame.html(ImportPage(outcome: .refused(problem)))
    case .feeds(let offer): frame.html(FeedsPage(offer: offer))
    case .albumSettings(let settings): frame.html(settings.page)
    }
  }
}
