// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A page that only the server's controllers render.
public enum ServerPage: Equatable, Sendable {
  /// The link for pairing another device.
  case move(MoveOffer)
  /// The confirmation of a pairing.
  case pair(code: Text, PairingPreview)
  /// The page after pairing, with the number of shared favorites.
  case paired(favorites: Int)
  /// A pairing link that doesn't work.
  case pairingRejected(PairingRejection)
  /// The import form.
  case importing
  /// The result of an import.
  case imported(ImportResult)
  /// A failed import, with the reason.
  case importRejected(ImportRejection)
  /// The page about feeds.
  case feeds(FeedsOffer)
  /// The settings of albums.
  case albumSettings(ShownAlbumSettings)
  /// A form whose change the server could not store.
  case notStored(StorageProblem)
  /// The sign-in page.
  case signIn(SignInOffer)
  /// The signed-in devices and access keys.
  case devices(DevicesOffer)
  /// The set-up for other devices, and how a phone connects.
  case phone(PhoneOffer)
  /// What the checks of the server found.
  case serverStatus(ServerStatusOffer)
  /// In a static copy: the file at an address for which only the device can make a page.
  case madeOnDevice
  /// In a static copy: the file for addresses without one.
  case notInCopy
}

extension ServerPage {
  var status: Int {
    switch self {
    case .move, .pair, .paired, .importing, .imported, .albumSettings, .devices, .serverStatus, .madeOnDevice:
      200
    case .signIn(let offer): offer.status
    case .phone(let offer): offer.status
    case .pairingRejected(let rejection): rejection.status
    case .importRejected: 400
    case .notInCopy: 404
    case .notStored(let problem): problem.status
    case .feeds(let offer): offer.rejection == nil ? 200 : 400
    }
  }

  func html(in frame: Frame) -> [UInt8] {
    switch self {
    case .move(let offer): frame.html(MovePage(offer: offer))
    case .pair(let code, let preview): frame.html(PairPage(code: code, preview: preview))
    case .paired(let favorites): frame.html(PairedPage(favorites: favorites))
    case .pairingRejected(let rejection): frame.html(PairingRejectedPage(rejection: rejection))
    case .importing: frame.html(ImportPage())
    case .imported(let summary): frame.html(ImportPage(outcome: .done(summary)))
    case .importRejected(let rejection): frame.html(ImportPage(outcome: .rejected(rejection)))
    case .feeds(let offer): frame.html(FeedsPage(offer: offer))
    case .albumSettings(let settings): frame.html(settings)
    case .notStored(let problem): frame.html(problem.page)
    case .signIn(let offer): frame.html(SignInPage(offer: offer))
    case .devices(let offer): frame.html(DevicesPage(offer: offer))
    case .phone(let offer): frame.html(PhonePage(offer: offer))
    case .serverStatus(let offer): frame.html(ServerStatusPage(offer: offer))
    case .madeOnDevice: frame.html(MadeOnDevicePage(isAddressKnown: true))
    case .notInCopy: frame.html(MadeOnDevicePage(isAddressKnown: false))
    }
  }
}
