// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore
import LongboxPages
public import LongboxPush
import LongboxReaders

extension HookMessage {
  /// What a plain hook gets.
  private struct Body: Encodable {
    /// `comic`, or `test`.
    var event: String
    /// Scheme, host and port of this server's public address, which the comic's paths come after; nil if it has none.
    var site: String?
    /// The comic as `/api/comics/N`.
    var comic: APIComic
  }

  /// The message about a comic, with a link to this server if it has a public address, and to xkcd.com if not.
  ///
  /// The picture is xkcd's own: services fetch it, and most can't reach a server at home.
  /// - Parameters:
  ///   - comic: the comic.
  ///   - site: where readers find this server.
  ///   - isTest: whether the operator asked for a test.
  public init(about comic: ArchivedComic, on site: SiteAddress, isTest: Bool = false) throws {
    let address = site.publicAddress
    let link = address?.link(to: Link.comic(comic.number).address.description)
    let picture = comic.pictureAddress.description
    let body = Body(
      event: isTest ? "test" : "comic",
      // The paths begin with the base path.
      site: address.map { "\($0.scheme)://\($0.authority)" },
      comic: APIComic(comic, below: site.basePath)
    )
    self.init(
      number: comic.number.value,
      title: comic.title.withoutDirectionMarks.description,
      link: link ?? Link.xkcd(comic.number).address.description,
      picture: picture.isEmpty ? nil : picture,
      altText: comic.alt.withoutDirectionMarks.description,
      json: [UInt8](try JSONEncoder.stable.encode(body)),
      isTest: isTest
    )
  }
}
