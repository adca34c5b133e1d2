// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxCore
import LongboxPages
import LongboxStore

/// What an address asks for.
///
/// Whatever is nothing else is a page, and the pages know what they don't know.
///
/// Hummingbird's own router lets no parameter stand beside a catch-all, so the addresses are told apart here.
enum Route: Equatable {
  /// How the program is.
  case health
  /// A file of the web application, by its name.
  case asset(String)
  /// What an installed app is made of.
  case device
  /// All comics' text, or what has changed of it.
  case archive
  /// The service worker.
  case worker
  /// The record of the newest comic, as xkcd's API gives it.
  case latestRecord
  /// The record of a comic, by what stands where its number should.
  case record(String)
  /// A comic's picture, by what stands where its number should.
  case picture(String, PictureKind)
  /// How other sites show a page of ours.
  case embedding
  /// The key that browsers bind subscriptions to new comics to.
  case pushKey
  /// Where browsers subscribe.
  case pushSubscriptions
  /// A feed, or the catalogue for comic reader apps.
  case feed(FeedRoute)
  /// Something for programs, in JSON.
  case api(APIRoute)
  /// The explanations that have changed, for devices.
  case explanations
  /// The index of explanations for devices, or what has changed of it.
  case explanationIndex
  /// The explanation of a comic for a device, by what stands where its number should.
  case explanation(String)
  /// Where a device merges what it did with the server's copy.
  case sync
  /// Where a link for another device is made.
  case move
  /// Where another device's library is joined.
  case join
  /// The library as a file.
  case exportLibrary
  /// Where such a file is taken.
  case importLibrary
  /// The whole explanation of a comic as a page, by what stands where its number should.
  case explanationPage(String)
  /// Something about albums.
  case albums(AlbumRoute)
  /// Anything else.
  case page

  /// Reads the path of an address.
  init(path: String) {
    let parts = path.split(separator: "/").map(String.init)
    if let feed = FeedRoute(parts) {
      self = .feed(feed)
      return
    }
    switch (parts.count, parts.first, parts.last) {
    case (_, "albums", _): self = AlbumRoute(Array(parts.dropFirst())).map(Self.albums) ?? .page
    case (3, "api", "key") where parts[1] == "push": self = .pushKey
    case (3, "api", "subscriptions") where parts[1] == "push": self = .pushSubscriptions
    case (_, "api", _): self = .api(APIRoute(parts.dropFirst()))
    case (1, "healthz", _): self = .health
    case (1, "favicon.ico", _): self = .asset("icon.svg")
    case (1, "manifest.webmanifest", _): self = .asset("manifest.webmanifest")
    case (1, "device.json", _): self = .device
    case (1, "archive", _): self = .archive
    case (1, "sw.js", _): self = .worker
    case (1, "info.0.json", _): self = .latestRecord
    case (1, "oembed", _): self = .embedding
    case (1, "sync", _): self = .sync
    case (1, "join", _): self = .join
    case (1, "explanations", _): self = .explanations
    case (2, "explanations", "index"): self = .explanationIndex
    case (2, "explanations", let number?): self = .explanation(number)
    case (2, "settings", "move"): self = .move
    case (2, "settings", "export"): self = .exportLibrary
    case (2, "settings", "import"): self = .importLibrary
    case (2, let number?, "info.0.json"): self = .record(number)
    case (2, let number?, "explanation"): self = .explanationPage(number)
    case (2, "assets", let name?): self = .asset(name)
    case (3, "comics", "image"): self = .picture(parts[1], .standard)
    case (3, "comics", "image@2x"): self = .picture(parts[1], .doubleSize)
    case (3, "comics", "thumbnail"): self = .picture(parts[1], .thumbnail)
    default: self = .page
    }
  }
}

extension Route {
  /// What may be asked at an address.
  static func methods(at path: String) -> [HTTPRequest.Method] {
    switch Route(path: path) {
    case .sync: [.post]
    case .pushSubscriptions: [.post, .delete]
    case .move, .join, .importLibrary, .albums(.pick), .albums(.quiz), .albums(.settings),
      .feed(.favoritesForm):
      [.get, .head, .post]
    case .page where acceptsForm(at: Text(string: path)): [.get, .head, .post]
    default: [.get, .head]
    }
  }

  /// The longest body, in bytes, that is taken at an address.
  static func bodyLimit(at path: String, _ settings: ServerSettings) -> Int {
    switch Route(path: path) {
    case .sync: SyncRoute.bodyLimit
    case .pushSubscriptions: PushRoutes.bodyLimit
    case .importLibrary: ImportRoutes.bodyLimit
    default: settings.bodyLimit
    }
  }
}
