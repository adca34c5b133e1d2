// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite struct StaticCopyTests {
  private static let files = StaticFiles(
    assetVersion: "v1",
    policy: "default-src 'none'",
    formats: [Comic.Number(5) ?? .first: .jpeg]
  )

  @Test(
    arguments: [
      ("/assets/app.js?v=v1", "/assets/v1/app.js"), ("/assets/settings.css", "/assets/v1/settings.css"),
      ("/comics/353/image?v=0a1b2c3d", "/pictures/353-0a1b2c3d.png"),
      ("/comics/5/image@2x?v=0a1b2c3d", "/pictures/5-0a1b2c3d@2x.jpg"),
      ("/comics/5/thumbnail?v=0a1b2c3d", "/thumbnails/5-0a1b2c3d.webp"),
    ] as [(Text, Text)]
  )
  func `has the version of a file in its path`(_ address: Text, _ path: Text) {
    #expect(Self.files.path(of: address) == path)
  }

  @Test(arguments: ["/353/", "/comics", "/comics/353/image", "/manifest.webmanifest", "/"] as [Text])
  func `leaves other addresses as they are`(_ address: Text) {
    #expect(Self.files.path(of: address) == nil)
  }

  @Test func `puts the files' paths below the base path, in a list of pictures, too`() {
    let plain = Link.picture(.first, doubleSize: false, version: "0a1b2c3d")
    let double = Link.picture(.first, doubleSize: true, version: "0a1b2c3d")
    let html = HTML(void: "img", [.src(plain), .srcset(plain, double), .alt("?v=1")])
    #expect(
      String(decoding: html.bytes(below: "/box", in: Self.files), as: UTF8.self) == """
        <img src="/box/pictures/1-0a1b2c3d.png" srcset="/box/pictures/1-0a1b2c3d.png 1x, /box/pictures/1-0a1b2c3d@2x.png 2x" \
        alt="?v=1">
        """
    )
  }

  @Test(
    arguments: [
      "/albums", "/albums/9101", "/albums/saved", "/albums/9101/quiz", "/feeds", "/join", "/settings/phone",
    ]
      as [Text]
  )
  func `has no page for what only a server does`(_ path: Text) {
    let site = Site(isStaticCopy: true)
    #expect(Route(Request(path: path), on: site) == .unknown)
    #expect(Route(Request(path: path), on: Site()) != .unknown)
    #expect(Route(Request(method: .post, path: path), on: site) == .unknownForm)
  }

  @Test func `has all other pages`() {
    for path: Text in [
      "/", "/353/", "/353/explanation", "/comics", "/search", "/favorites", "/settings", "/about",
      "/settings/export", "/settings/import",
    ] {
      #expect(Route(Request(path: path), on: Site(isStaticCopy: true)) == Route(Request(path: path)))
    }
  }
}
