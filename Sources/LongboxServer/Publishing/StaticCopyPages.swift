// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxCatalog
import LongboxCore
import LongboxPages

/// Renders the pages of a static copy, for a reader without a library.
struct StaticCopyPages {
  let files: StaticFiles
  private let archive: Archive
  private let context: PageContext
  /// The explanations that the pages to be made show.
  private var explanations: [Comic.Number: ShownExplanation] = [:]

  /// The addresses, besides comics, whose pages are files.
  ///
  /// A device's worker renders them for its reader.
  private static let readable = [
    "/", "/comics", "/favorites", "/history", "/search", "/settings", "/about", "/favorites/clear",
    "/read/clear",
  ]
  /// The addresses whose pages only a device can render.
  private static let madeOnDevice = [
    "/random", "/unread", "/on-this-day", "/go", "/continue", "/open", "/share", "/settings/export",
    "/settings/import",
  ]

  init(copy: StaticCopy) {
    archive = copy.catalog.archive
    var formats: [Comic.Number: PictureFacts.Format] = [:]
    archive.visit { comic in
      if let format = comic.picture?.format, format != .png { formats[comic.number] = format }
      return true
    }
    files = StaticFiles(
      assetVersion: Text(string: copy.assets.version),
      policy: Text(string: HTTPFields.policyInPage),
      formats: formats
    )
    var context = PageContext(
      assetVersion: Text(string: copy.assets.version),
      version: Text(string: copy.settings.version)
    )
    context.basePath = copy.settings.basePath.inPages
    context.site = copy.site
    context.files = files
    self.context = context
  }

  /// Adds explanations for pages to show.
  mutating func show(_ shown: [Comic.Number: ShownExplanation]) { explanations.merge(shown) { $1 } }

  private static func links(of comic: Comic.Number) -> [Link] { [.comic(comic), .explanation(comic)] }

  /// The paths of the pages about a comic.
  static func paths(of comic: Comic.Number) -> [String] { links(of: comic).map { path($0.address) } }

  /// The pages about a comic, with their paths.
  func pages(of comic: Comic.Number) -> [(path: String, page: [UInt8])] {
    Self.links(of: comic).map { (Self.path($0.address), page(at: $0.address)) }
  }

  /// All other pages, with their paths.
  var others: [(path: String, page: [UInt8])] {
    var pages = Self.readable.map { (path: Self.path(Text(string: $0)), page: page(at: Text(string: $0))) }
    let topics = [Link.topics] + archive.topics.map { .topic($0.key, isUnreadOnly: false) }
    pages += topics.map { (path: Self.path($0.address), page: page(at: $0.address)) }
    if let latest = archive.latest?.number, latest > .beforeMissing {
      let address = Link.missingNumber.address
      pages.append((Self.path(address), page(at: address)))
    }
    let waiting = page(.madeOnDevice)
    pages += Self.madeOnDevice.map { (Self.path(Text(string: $0)), waiting) }
    pages.append(("404.html", page(.notInCopy)))
    return pages
  }

  /// The file at an address: hosts show the `index.html` of a folder.
  private static func path(_ address: Text) -> String {
    let parts = address.description.split(separator: "/")
    return (parts + ["index.html"]).joined(separator: "/")
  }

  private func page(_ page: ServerPage) -> [UInt8] {
    render(page, in: Request(path: "/"), archive: archive, library: Library(), context: context).body
  }

  private func page(at address: Text) -> [UInt8] {
    let request = Request(path: address)
    let route = Route(request, on: context.site)
    var gathering = Gathering(for: route, in: request)
    while true {
      let needs = gathering.next(archive: archive, library: Library())
      if needs.isEmpty { break }
      for need in needs { gathering.insert(value(of: need), for: need) }
    }
    var replica = Replica(device: 0)
    return render(
      route,
      in: request,
      archive: archive,
      library: &replica,
      loaded: gathering.loaded,
      context: context
    )
    .body
  }

  private func value(of need: Need) -> Loaded.Value {
    switch need {
    case .explanationLead(let comic): explanations[comic].map { .lead($0.beginning) } ?? .unavailable
    case .explanation(let comic):
      switch explanations[comic] {
      case let shown? where shown.isHere: .explanation(shown.whole)
      case let shown? where shown.state == .absent: .absent
      default: .unavailable
      }
    default: .unavailable
    }
  }
}

extension ShownExplanation {
  fileprivate var isHere: Bool { if case .here = state { true } else { false } }
}

/// Consecutive comics, whose pages and explanations are written together.
struct StaticCopyPack {
  /// Its name in the manifest: its number.
  let name: String
  let comics: [ArchivedComic]
  let sources: [Comic.Number: ExplanationSource]
  /// A hash of everything that its files depend on.
  let inputs: String

  /// Creates the pack that begins after a number.
  /// - Parameter copy: the inputs of all packs.
  init(
    after start: Int,
    in catalog: StoredCatalog,
    of copy: String
  ) async throws(CatalogError) {
    name = "\(start / StaticCopyManifest.packLength)"
    let archive = catalog.archive
    comics = (start + 1...start + StaticCopyManifest.packLength).compactMap {
      Comic.Number($0).flatMap(archive.comic)
    }
    var sources: [Comic.Number: ExplanationSource] = [:]
    for comic in comics { sources[comic.number] = try await catalog.explanationSource(of: comic.number) }
    self.sources = sources
    // A page shows its comic, links to the comics beside it, and may compare its picture with the previous one.
    let shown =
      [comics.first?.number.previous, comics.last?.number.next].compactMap { $0.flatMap(archive.comic) }
      + comics
    // Reflection includes every field, also one that is added later.
    var parts = [
      copy, "\(archive.isSampleBox)", String(reflecting: archive.latest.map { shown.contains($0.number) }),
    ]
    parts += shown.map { String(reflecting: $0.comic) }
    parts += comics.map { sources[$0.number]?.content ?? "" }
    inputs = EncodedBody.hash(of: Array(parts.joined(separator: "\u{0}").utf8))
  }
}

extension [ArchivedComic] {
  fileprivate func contains(_ number: Comic.Number) -> Bool { contains { $0.number == number } }
}
