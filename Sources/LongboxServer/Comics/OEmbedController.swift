// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders

/// Serves embeddings of comics for other sites (oembed.com): `/oembed?url=`.
///
/// A picture that fits is a `photo`; a larger one is `rich`, scaled down by the HTML; a comic without one is
/// a `link`. The only format is JSON. Unknown parameters are ignored, as the specification requires.
struct OEmbedController: Controller {
  let catalog: Catalog
  let site: SiteAddress
  /// Maximum wait for xkcd.
  let timeout: Duration

  var endpoints: [Endpoint] {
    [.get("oembed") { try await embedding($0, $1.client) }]
  }

  /// Returns the embedding.
  /// - Throws: `Problem`: 400 for an invalid query, 404 if the address is not a comic here, 501 for another
  ///   format, 502 to 504 if the comic can't be fetched.
  private func embedding(_ request: Request, _ client: ClientAddress) async throws -> Response {
    let fields = FormFields(Text(string: request.uri.query ?? ""))
    guard let url = fields["url"], !url.isEmpty else {
      throw Problem(.badRequest, "This parameter is missing.", parameter: "url")
    }
    guard fields["format"].map({ $0 == "json" }) ?? true else {
      throw Problem(.notImplemented, "The only supported format is json.", parameter: "format")
    }
    let maxSize = EmbeddedComic.MaxSize(
      width: try Self.size("maxwidth", fields),
      height: try Self.size("maxheight", fields)
    )
    guard let here = site.address(of: request.head) else {
      throw Problem(.badRequest, "The request does not say under which address this server was reached.")
    }
    let comic = try await comic(at: url.description, here, client)
    let archive = catalog.snapshot.archive
    let reply = OEmbedReply(comic, in: archive, maxSize: maxSize, origin: here.root)
    let encoder = JSONEncoder.stable
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return try EncodedBody(json: reply, by: encoder).response(to: request).openToAllSites
  }

  private static func size(_ name: Text, _ fields: FormFields) throws(Problem) -> Int? {
    guard let text = fields[name] else { return nil }
    guard let size = text.number, size > 0 else {
      throw Problem(.badRequest, "This has to be a number of pixels.", parameter: name.description)
    }
    return size
  }

  /// The comic at an address of this server.
  private func comic(
    at url: String,
    _ here: PublicAddress,
    _ client: ClientAddress
  ) async throws -> ArchivedComic {
    let absent = Problem(.notFound, "This is not the address of a comic on this server.", parameter: "url")
    guard let path = here.path(of: url) else { throw absent }
    let archive = catalog.snapshot.archive
    let latest = try archive.newest()
    if path == "/" { return latest }
    let name = path.hasSuffix("/") ? path.dropFirst().dropLast() : path.dropFirst()
    guard let number = Comic.Number(typed: String(name), upTo: latest.number) else { throw absent }
    let comic = try await catalog.comic(number, within: timeout, for: client)
    // Without the picture, the reply is a link.
    try? await catalog.ensure(number, withPicture: true, within: timeout, for: client.description)
    return catalog.snapshot.archive.comic(number) ?? comic
  }
}

/// The oEmbed 1.0 response for a comic (https://oembed.com, section 2.3.4), encoded in snake case.
struct OEmbedReply: Encodable {
  var version = "1.0"
  /// `photo`, `rich` or `link`.
  var type: String
  var title: String
  var authorName: String
  var authorUrl: String?
  var providerName = "Longbox"
  var providerUrl: String
  /// For how many seconds sites may keep it; nil for a link.
  var cacheAge: Int?
  var url: String?
  var html: String?
  var width: Int?
  var height: Int?

  init(_ comic: ArchivedComic, in archive: Archive, maxSize: EmbeddedComic.MaxSize, origin: String) {
    title = "#\(comic.number.value) \(comic.title)"
    authorName = archive.series.author.name
    authorUrl = archive.series.page(of: comic.number)
    providerUrl = "\(origin)/"
    guard let embedded = EmbeddedComic(comic, in: archive, maxSize: maxSize) else {
      type = "link"
      return
    }
    cacheAge = 86_400
    type = embedded.isWhole ? "photo" : "rich"
    width = embedded.width
    height = embedded.height
    if embedded.isWhole {
      url = "\(origin)\(embedded.picture)"
    } else {
      html = embedded.html(origin: Text(string: origin)).string(below: .empty)
    }
  }
}
