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
  case imported(ImportResult)
  /// A failed import, with the reason.
  case importRejected(ImportRejection)
  /// The page about feeds.
  case feeds(FeedsOffer)
  case albumSettings(ShownAlbumSettings)
  /// A form whose change the server could not store.
  case notStored(StorageProblem)
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

/// A file of a static copy for an address whose page the device renders.
///
/// As soon as the service worker controls the page, a script loads the address again, and the worker responds.
struct MadeOnDevicePage: Page {
  /// Whether the device renders a page for the address; false in the file that the host shows for unknown addresses.
  let isAddressKnown: Bool

  var title: Text { isAddressKnown ? "One moment" : "Page not found" }
  var kind: Text { "message-page" }
  var tab: Tab? { .comics }

  var content: HTML {
    div(.class("message empty"), Attribute("data-needs-worker")) {
      Drawing.boxWithRoom.html
      p(.id("problem"), .role("status")) {
        if isAddressKnown {
          "This page is made on your device. It appears as soon as Longbox is ready there, which takes some seconds and "
          "needs JavaScript."
        } else {
          "There is no page at this address. A comic’s address is its number, such as /353/."
        }
      }
      ul(.class("links")) {
        li { a(.href(.latest)) { "Latest comic" } }
        li { a(.href(.overview(.init()))) { "All comics" } }
      }
    }
  }
}

/// Why the server could not store a reader's change.
public enum StorageProblem: Equatable, Sendable {
  /// The disk is full.
  case full
  /// The disk or the database can't be written at the moment.
  case unwritable
  /// The database of several nodes doesn't answer at the moment.
  case unreachable
  /// The library is new and may not grow further today.
  case newLibraryFull
  /// Too many new libraries come from the reader's network.
  case tooManyNew
}

extension StorageProblem {
  /// 507 (RFC 4918, section 11.5) or 503.
  var status: Int {
    switch self {
    case .full, .newLibraryFull: 507
    case .unwritable, .unreachable: 503
    case .tooManyNew: 429
    }
  }

  var page: MessagePage {
    let reason: Text =
      switch self {
      case .full: "The server’s disk is full, so your change was not saved. "
      case .unwritable: "The server can’t write to its disk at the moment, so your change was not saved. "
      case .unreachable: "The server can’t reach its database at the moment, so your change was not saved. "
      case .newLibraryFull: "A new library holds less on its first day, so your change was not saved. "
      case .tooManyNew: "Too many new readers come from your network, so your change was not saved. "
      }
    return MessagePage(
      title: "Not saved",
      problem: reason + "Nothing else was changed or lost. Go back and try again later."
    )
  }
}
