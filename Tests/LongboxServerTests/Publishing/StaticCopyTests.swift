// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import LongboxCatalog
import LongboxCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite(.timeLimit(.minutes(5))) struct `A static copy` {
  private let folder = TemporaryFolder()

  @Test func `is not written with an empty file in place of one that can't be read`() async throws {
    let list = #"[{"name":"app.js","hash":"aaaaaaaaaaaaaaaa"}]"#
    try folder.write(Array(list.utf8), to: "web/files.json")
    for name in ["sw.js", "manifest.webmanifest"] { try folder.write(Array(name.utf8), to: "web/\(name)") }
    try await withCatalog(FakeXkcd(latest: 1)) { back in
      await back.catalog.prepare()
      try await back.catalog.ensure(Comic.Number(of: 1))
      let copy = StaticCopy(
        of: try await StoredCatalog(back.store),
        settings: StaticCopy.Settings(folder: folder.path("copy")),
        assets: AssetController(folder: folder.path("web"))
      )
      await #expect(throws: StaticCopyProblem.noWebApplication) { try await copy.write() }
      #expect(folder.files(in: "copy").allSatisfy { !$0.hasSuffix("app.js") })
    }
  }
}
