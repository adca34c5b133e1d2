// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import NIOCore
import TestSupport
import Testing

@testable import LongboxServer

/// The contents of `/device.json`.
private struct Device: Decodable {
  struct Archive: Decodable {
    var revision: Int
    var rules: Int
    var comics: Int
    var samples: Bool
    var size: Int
  }

  var version: String
  var assets: String
  var files: [ShellFile]
  var archive: Archive
  var library: Bool
}

/// The build information that precedes the service worker's script.
private struct Build: Decodable {
  var version: String
  var assets: String
  var files: [ShellFile]
  var headers: [String: String]
}

extension ServerBench {
  fileprivate func device(_ headers: HTTPFields = [:]) async throws -> Device {
    try JSONDecoder().decode(Device.self, from: Data(try await get("/device.json", headers).bytes))
  }

  fileprivate func build() async throws -> Build {
    let script = try await get("/sw.js").text
    let found = try #require(script.firstMatch(of: /\A"use strict";const build=(\{.*?\});/))
    return try JSONDecoder().decode(Build.self, from: Data(found.1.utf8))
  }
}

extension Request {
  fileprivate static var forWorker: Request {
    Request(
      head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/sw.js"),
      body: RequestBody(buffer: ByteBuffer())
    )
  }
}

@Suite("The manifest for installed apps", .timeLimit(.minutes(10))) struct InstallManifestTests {
  @Test func `describes version and archive`() async throws {
    try await withServer { bench async throws in
      let device = try await bench.device()
      let archive = bench.back.catalog.snapshot.archive
      #expect(device.version == "7.8.9")
      #expect(device.archive.revision == archive.revision)
      #expect(device.archive.rules == archive.rules)
      #expect(device.archive.comics == 6)
      #expect(!device.archive.samples)
      #expect(device.archive.size > 6 * 50)
    }
  }

  @Test func `lists each file with the start of its entity tag`() async throws {
    try await withServer { bench async throws in
      let files = try await bench.device().files
      #expect(Set(files.map(\.name)).isSuperset(of: ["app.js", "style.css", "icon.svg", "icon-180.png"]))
      for file in files {
        let answer = try await bench.get("/assets/\(file.name)")
        #expect(answer.status == .ok, "\(file.name)")
        #expect(answer.headers[.eTag] == "\"\(file.hash)\"", "\(file.name)")
      }
      // Files for browsers and programs only are not stored on a device.
      #expect(
        !files.contains { ["sw.js", "openapi.json"].contains($0.name) || $0.name.hasPrefix("worker-") }
      )
    }
  }

  @Test func `is private and must be revalidated`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get("/device.json")
      #expect(answer.headers[.contentType] == "application/json")
      #expect(answer.headers[.cacheControl] == "private, no-cache")
      #expect(answer.headers[.vary]?.contains("Cookie") == true)
      let tag = try #require(answer.headers[.eTag])
      #expect(try await bench.get("/device.json", [.ifNoneMatch: tag]).status == .notModified)
      bench.xkcd.set(HandmadeRecord.raw(2, title: "Toast"), for: 2)
      try await bench.back.catalog.reload(Comic.Number(of: 2))
      #expect(try await bench.get("/device.json", [.ifNoneMatch: tag]).status == .ok)
    }
  }

  @Test func `says whether there is a library to sync`() async throws {
    try await withServer { bench async throws in
      #expect(try await !bench.device().library)
      #expect(try await !bench.device([.cookie: "library=tooshort"]).library)
      var browser = Browser(bench: bench)
      _ = try await browser.send("/favorites/set", "comic=1&on=yes")
      #expect(try await bench.device([.cookie: try #require(browser.cookie)]).library)
    }
  }
}

@Suite("The service worker", .timeLimit(.minutes(10))) struct WorkerScriptTests {
  @Test func `is checked at each visit`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get("/sw.js")
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8")
      #expect(answer.headers[.cacheControl] == "no-cache")
      let tag = try #require(answer.headers[.eTag])
      #expect(try await bench.get("/sw.js", [.ifNoneMatch: tag]).status == .notModified)
      #expect(try await bench.get("/sw.js?again=1").bytes == answer.bytes)
    }
  }

  @Test func `may compile WebAssembly, but load nothing from other sites`() async throws {
    try await withServer { bench async throws in
      let policies = try await bench.get("/sw.js").headers[values: .contentSecurityPolicy]
      #expect(policies.count == 1)
      let policy = try #require(policies.first)
      #expect(policy.contains("default-src 'none'"))
      #expect(policy.contains("script-src 'self' 'wasm-unsafe-eval'"))
      #expect(!policy.contains("unsafe-inline"))
      // Pages may not.
      #expect(try await bench.get("/6/").headers[.contentSecurityPolicy]?.contains("wasm") == false)
    }
  }

  @Test func `contains the version to install and the headers of its pages`() async throws {
    try await withServer { bench async throws in
      let build = try await bench.build()
      let device = try await bench.device()
      #expect(build.version == "7.8.9")
      #expect(build.version == device.version)
      #expect(build.assets == device.assets)
      #expect(build.files == device.files)
      let page = try await bench.get("/6/")
      #expect(build.headers.count >= 5)
      for (name, value) in build.headers {
        #expect(page.headers[.named(name)] == value, "\(name)")
      }
    }
  }

  @Test func `lists the files to install, and all of them exist`() async throws {
    try await withServer { bench async throws in
      let build = try await bench.build()
      #expect(build.files.contains { $0.name.hasSuffix(".wasm") })
      for file in build.files {
        for coding in ["", "gzip", "br"] {
          let answer = try await bench.get(
            "/assets/\(file.name)?v=\(build.assets)",
            [.acceptEncoding: coding]
          )
          #expect(answer.status == .ok, "\(file.name)")
          #expect(answer.headers[.eTag]?.contains(file.hash) == true, "\(file.name)")
          #expect(answer.headers[.cacheControl]?.contains("immutable") == true, "\(file.name)")
        }
      }
    }
  }

  @Test func `is the built script, preceded by the build information`() async throws {
    try await withServer { bench async throws in
      let built = try #require(AssetController().workerScript)
      let answer = try await bench.get("/sw.js")
      #expect(answer.bytes.suffix(built.count).elementsEqual(built))
      let text = String(decoding: answer.bytes.dropLast(built.count), as: UTF8.self)
      #expect(text.hasPrefix("\"use strict\";const build={") && text.hasSuffix("};"))
      #expect(!text.contains("\n"), "the numbers of the script's lines stay as they are")
    }
  }

  @Test(arguments: [ContentCoding.brotli, .gzip])
  func `is compressed`(coding: ContentCoding) async throws {
    try await withServer { bench async throws in
      let plain = try await bench.get("/sw.js")
      let answer = try await bench.get("/sw.js", [.acceptEncoding: coding.rawValue])
      #expect(answer.headers[.contentEncoding] == coding.rawValue)
      #expect(answer.headers[.vary] == "Accept-Encoding")
      #expect(try await decompressed(answer.bytes, coding) == plain.bytes)
      let tag = try #require(answer.headers[.eTag])
      #expect(tag != plain.headers[.eTag])
      let again: HTTPFields = [.acceptEncoding: coding.rawValue, .ifNoneMatch: tag]
      #expect(try await bench.get("/sw.js", again).status == .notModified)
      #expect(try await bench.get("/sw.js", [.ifNoneMatch: tag]).status == .ok)
    }
  }

  @Test func `changes with the version and with the files`() throws {
    let assets = AssetController()
    func entityTag(_ assets: AssetController, _ version: String) throws -> String? {
      try WorkerScriptController(assets: assets, version: version).script(.forWorker).headers[.eTag]
    }
    let one = try #require(try entityTag(assets, "1"))
    #expect(try entityTag(assets, "1") == one)
    #expect(try entityTag(assets, "2") != one)
    let folder = TemporaryFolder()
    try folder.write(try #require(assets.workerScript), to: "sw.js")
    try folder.write(Array(#"[{"name":"app.js","hash":"0123456789abcdef"}]"#.utf8), to: "files.json")
    #expect(try entityTag(AssetController(folder: folder.url), "1") != one)
  }

  @Test func `is not found if the web application is not installed`() throws {
    let worker = WorkerScriptController(assets: AssetController(folder: nil), version: "1")
    #expect(throws: HTTPError.self) { try worker.script(.forWorker) }
  }
}

@Suite("The manifest", .timeLimit(.minutes(10))) struct WebManifestTests {
  private struct Manifest: Decodable {
    struct Icon: Decodable {
      var src: String
      var type: String
    }

    var name: String
    var id: String
    var start_url: String
    var scope: String
    var display: String
    var icons: [Icon]
  }

  @Test func `names the app, its first page and its icons, which all exist`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get("/manifest.webmanifest")
      #expect(answer.headers[.contentType] == "application/manifest+json")
      #expect(answer.headers[.cacheControl] == "no-cache")
      let tag = try #require(answer.headers[.eTag])
      #expect(try await bench.get("/manifest.webmanifest", [.ifNoneMatch: tag]).status == .notModified)
      let manifest = try JSONDecoder().decode(Manifest.self, from: Data(answer.bytes))
      #expect(manifest.name.hasPrefix("Longbox"))
      #expect(manifest.scope == "/")
      let start = try await bench.get(manifest.start_url)
      #expect(start.status == .seeOther && start.headers[.location] == "/", "no comic was viewed yet")
      #expect(!manifest.icons.isEmpty)
      for icon in manifest.icons {
        let file = try await bench.get(icon.src)
        #expect(file.status == .ok, "\(icon.src)")
        #expect(file.headers[.contentType] == icon.type, "\(icon.src)")
      }
      #expect(
        try await bench.get("/6/").text.contains(
          "rel=\"manifest\" crossorigin=\"use-credentials\" href=\"/manifest.webmanifest\""
        )
      )
    }
  }
}
