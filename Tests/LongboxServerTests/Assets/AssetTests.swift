// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

/// A folder like one that the build makes; the controller is created before the files exist.
private struct Build {
  static let list = """
    [
    {"name":"app.js","hash":"aaaaaaaaaaaaaaaa","size":9},
    {"name":"app.js.map","hash":"bbbbbbbbbbbbbbbb","size":3},
    {"name":"icon-ABCDEFG.png","hash":"cccccccccccccccc","size":4},
    {"name":"notes.xyz","hash":"dddddddddddddddd","size":5},
    {"name":"sw.js","hash":"eeeeeeeeeeeeeeee","size":6},
    {"name":"viewer-ABCD2345.js","hash":"ffffffffffffffff","size":7}
    ]
    """

  let folder = TemporaryFolder()
  let assets: AssetController

  init(list: String? = Self.list) throws {
    if let list { try folder.write(Array(list.utf8), to: "files.json") }
    assets = AssetController(folder: folder.url)
    for name in [
      "app.js", "app.js.gz", "app.js.br", "app.js.map", "icon-ABCDEFG.png", "notes.xyz", "secret.txt",
    ] {
      try folder.write(Array(name.utf8), to: name)
    }
    for name in ["sw.js", "viewer-ABCD2345.js", "viewer-ABCD2345.js.gz"] {
      try folder.write(Array(name.utf8), to: name)
    }
  }

  func get(_ name: String, query: String = "", _ headers: HTTPFields = [:]) throws -> Response {
    let path = "/assets/\(name)\(query)"
    let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: headers)
    return try assets.asset(name, Request(head: head, body: RequestBody(buffer: ByteBuffer())))
  }

  /// The text of the response from memory, if any.
  func ready(_ name: String, query: String? = nil, _ headers: HTTPFields = [:]) -> String? {
    cached(name, query: query, headers)?.body.map { body in
      var rest = body
      return sequence(state: ()) { _ in rest.next() }.map { String(buffer: $0) }.joined()
    }
  }

  func cached(_ name: String, query: String? = nil, _ headers: HTTPFields = [:]) -> CachedResponse? {
    let head = HTTPRequest(
      method: .get,
      scheme: nil,
      authority: nil,
      path: "/assets/\(name)",
      headerFields: headers
    )
    let asked = CacheQuery(
      request: head,
      address: "/assets/\(name)",
      parameter: name[...],
      query: query?[...]
    )
    return assets.cached(name, asked)
  }
}

@Suite("The files of the web application") struct AssetTests {
  static let forGood = "public, max-age=31536000, immutable"

  @Test(
    arguments: [
      (nil, nil), ("", nil), ("gzip, deflate, br, zstd", .brotli), ("gzip", .gzip), ("*", .brotli),
      ("br;q=0, gzip", .gzip), ("br;q=0", nil), ("br;q=0, *", .gzip), ("*;q=0", nil),
      ("br;q=0.5, gzip", .gzip),
      ("deflate", nil), ("identity, br;q=0.1", nil),
    ] as [(String?, ContentCoding?)]
  )
  func `are sent in the best coding that the build made and the reader accepts`(
    header: String?,
    coding: ContentCoding?
  ) async throws {
    let build = try Build()
    var headers: HTTPFields = [:]
    headers[.acceptEncoding] = header
    let answer = try build.get("app.js", headers)
    let suffix = coding?.suffix
    #expect(answer.status == .ok)
    #expect(answer.headers[.contentEncoding] == coding?.rawValue)
    #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8")
    #expect(answer.headers[.vary] == "Accept-Encoding")
    #expect(answer.headers[.eTag] == "\"aaaaaaaaaaaaaaaa\(suffix.map { "-\($0)" } ?? "")\"")
    #expect(
      build.ready("app.js", query: "v=\(build.assets.version)", headers)
        == "app.js\(suffix.map { ".\($0)" } ?? "")"
    )
  }

  @Test func `are sent in the next best coding if the build left one out`() throws {
    let build = try Build()
    let script = try build.get("viewer-ABCD2345.js", [.acceptEncoding: "br, gzip"])
    #expect(script.headers[.contentEncoding] == "gzip")
    #expect(try build.get("viewer-ABCD2345.js", [.acceptEncoding: "br"]).headers[.contentEncoding] == nil)
    let icon = try build.get("icon-ABCDEFG.png", [.acceptEncoding: "br, gzip"])
    #expect(icon.headers[.contentEncoding] == nil)
    #expect(icon.headers[.vary] == nil)
  }

  @Test(arguments: [nil, "gzip", "br"])
  func `are not sent again if the client has them in the same coding`(coding: String?) throws {
    let build = try Build()
    func headers(_ coding: String?, known tag: String? = nil) -> HTTPFields {
      var headers: HTTPFields = [:]
      headers[.acceptEncoding] = coding
      headers[.ifNoneMatch] = tag
      return headers
    }
    let tag = try #require(try build.get("app.js", headers(coding)).headers[.eTag])
    for other in [nil, "gzip", "br"] {
      let again = try build.get("app.js", headers(other, known: tag))
      #expect(again.status == (other == coding ? .notModified : .ok), "\(other ?? "plain")")
      #expect(again.headers[.vary] == "Accept-Encoding")
      if other == coding { #expect(again.headers[.eTag] == tag) }
    }
  }

  @Test func `may be cached forever if their address or name identifies the content`() throws {
    let build = try Build()
    let version = build.assets.version
    func keeping(_ name: String, _ query: String = "") throws -> String? {
      try build.get(name, query: query).headers[.cacheControl]
    }
    #expect(try keeping("app.js", "?v=\(version)") == Self.forGood)
    #expect(try keeping("app.js") == "no-cache")
    #expect(try keeping("app.js", "?v=other") == "no-cache")
    #expect(try keeping("viewer-ABCD2345.js") == Self.forGood)
    #expect(try keeping("viewer-ABCD2345.js", "?v=other") == Self.forGood)
    #expect(try keeping("icon-ABCDEFG.png") == "no-cache", "seven letters are no hash")
  }

  @Test func `are read at the first request, and stay in memory`() throws {
    let build = try Build()
    #expect(build.ready("viewer-ABCD2345.js") == nil)
    try build.folder.write(Array("later".utf8), to: "viewer-ABCD2345.js")
    _ = try build.get("viewer-ABCD2345.js")
    try FileManager.default.removeItem(at: build.folder.url)
    #expect(build.ready("viewer-ABCD2345.js") == "later")
    #expect(try build.get("viewer-ABCD2345.js").status == .ok)
  }

  /// So all who ask for a file share its bytes, whatever address they use.
  @Test func `are served from memory without their version, to be checked each time`() throws {
    let build = try Build()
    _ = try build.get("app.js")
    for (query, cacheControl) in [
      (nil, "no-cache"), ("v=other", "no-cache"), ("v=\(build.assets.version)", Self.forGood),
    ] {
      let answer = try #require(build.cached("app.js", query: query))
      #expect(build.ready("app.js", query: query) == "app.js")
      #expect(answer.head.headerFields[.cacheControl] == cacheControl, "\(query ?? "")")
    }
  }

  @Test(arguments: [
    "nothing.css", "secret.txt", "app.js.gz", "app.js.br", "files.json", "notes.xyz", "../secret.txt",
    "./app.js",
    "..", "", "app.js/", "/etc/passwd", "app.js\0",
  ])
  func `are only those that the build lists`(name: String) throws {
    let build = try Build()
    let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    let error = #expect(throws: HTTPError.self) { try build.assets.asset(name, request) }
    #expect(error?.status == .notFound)
    #expect(build.ready(name, query: "v=\(build.assets.version)") == nil)
  }

  @Test func `are stored by devices, except icons, source maps and the worker`() throws {
    #expect(try Build().assets.shell.map(\.name) == ["app.js", "viewer-ABCD2345.js"])
  }

  @Test func `may include source maps`() throws {
    let map = try Build().get("app.js.map")
    #expect(map.status == .ok)
    #expect(map.headers[.contentType] == "application/json")
  }

  @Test func `have one version, which changes with each file`() throws {
    let version = try Build().assets.version
    #expect(try Build().assets.version == version)
    for hash in ["a", "e"].map({ String(repeating: $0, count: 16) }) {
      let other = Build.list.replacingOccurrences(of: hash, with: "0123456789abcdef")
      #expect(try Build(list: other).assets.version != version)
    }
  }

  @Test(arguments: [nil, "", "{}", "[{}]"])
  func `are missing if the build has no valid list`(list: String?) throws {
    let build = try Build(list: list)
    #expect(build.assets.shell.isEmpty)
    #expect(throws: HTTPError.self) { try build.get("app.js") }
  }
}
