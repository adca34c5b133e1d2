// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import LongboxServer

/// An address and its expected response.
struct Address: CustomTestStringConvertible {
  let path: String
  let status: Int
  let mediaType: String?
  /// A part of the body, or the start of a redirect's location.
  let mark: String

  var testDescription: String { path }

  init(_ path: String, _ status: Int, _ mediaType: String?, _ mark: String = "") {
    self.path = path
    self.status = status
    self.mediaType = mediaType
    self.mark = mark
  }

  private static let html = "text/html; charset=utf-8"
  private static let json = "application/json"
  private static let jsonError = "application/json; charset=utf-8"

  static let all: [Address] = [
    Address("/", 200, html, "Bread 6"),
    Address("/6/", 200, html, "<title>#6 Bread 6 · Longbox</title>"),
    Address("/1/", 200, html, "This is the first comic."),
    Address("/6/?utm=1", 200, html, "This is the latest comic."),
    Address("/6", 301, nil, "/6/"),
    Address("/006/", 301, nil, "/6/"),
    Address("/404/", 404, html, "Not found, on purpose"),
    Address("/404", 301, nil, "/404/"),
    Address("/7/", 404, html, "There is no comic 7 yet: the latest comic is number 6."),
    Address("/0/", 404, html, "the first comic is number 1"),
    Address("/-1/", 404, html, "the first comic is number 1"),
    Address("/99999999999999999999/", 404, html, "the latest comic is number 6"),
    Address("/abc", 404, html, "There is no page at this address"),
    Address("/1/2/3", 404, html, "There is no page at this address"),
    Address("/random", 303, nil, "/"),
    Address("/go?number=3", 303, nil, "/3/"),
    Address("/go?number=%20%233+", 303, nil, "/3/"),
    Address("/go?number=404", 303, nil, "/404/"),
    Address("/go?number=", 400, html, "Type the number of a comic"),
    Address("/go", 400, html, "Type the number of a comic"),
    Address("/go?number=three", 400, html, "“three” is not a number"),
    Address("/go?number=%3Cscript%3E", 400, html, "“&lt;script&gt;” is not a number"),
    Address("/go?number=0", 404, html, "the first comic is number 1"),
    Address("/go?number=7", 404, html, "the latest comic is number 6"),
    Address("/comics", 200, html, "/comics/6/thumbnail?v="),
    Address("/comics?view=list", 200, html, "Bread 1"),
    Address("/comics?year=2027", 200, html, "Comics of 2027"),
    Address("/comics?view=tiles", 404, html, "There is no page at this address"),
    Address("/comics?year=1999", 404, html, "There is no page at this address"),
    Address("/comics?year=x", 404, html, "There is no page at this address"),
    Address("/about", 200, html, "Creative Commons"),
    Address("/comics/3/image", 200, "image/png"),
    Address("/comics/3/thumbnail", 200, "image/webp"),
    Address("/comics/3/image@2x", 404, jsonError, "Longbox can’t find this."),
    Address("/comics/404/image", 404, jsonError, "There is no comic with this number."),
    Address("/comics/7/image", 404, jsonError, "There is no comic with this number."),
    Address("/comics/x/image", 404, jsonError, "There is no comic with this number."),
    Address("/comics/3/other", 404, html, "There is no page at this address"),
    Address("/info.0.json", 200, json, #""num": 6"#),
    Address("/3/info.0.json", 200, json, #""num": 3"#),
    Address("/7/info.0.json", 404, jsonError, "There is no comic with this number."),
    Address("/404/info.0.json", 404, jsonError, "There is no comic with this number."),
    Address("/x/info.0.json", 404, jsonError, "There is no comic with this number."),
    Address("/1/2/info.0.json", 404, html, "There is no page at this address"),
    Address("/healthz", 200, json, #""status":"ok""#),
    Address("/ready", 200, json, #"{"ready":true}"#),
    Address("/assets/style.css", 200, "text/css; charset=utf-8"),
    Address("/assets/nothing.css", 404, jsonError, "There is no such file."),
    Address("/favicon.ico", 200, "image/svg+xml", "<svg"),
  ]
}

@Suite("Every address", .timeLimit(.minutes(10))) struct AddressTests {
  /// The headers of every response; pages have more, because only pages can run scripts.
  private static let securityHeaders = [
    ("content-security-policy", "default-src 'none'"), ("x-content-type-options", "nosniff"),
  ]
  private static let securityHeadersOfPages = [
    ("content-security-policy", "frame-ancestors 'none'"), ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"), ("permissions-policy", "geolocation=()"),
  ]

  @Test func `returns the right response to GET and HEAD, with security headers`() async throws {
    try await withServer { bench async throws in
      for address in Address.all {
        let answer = try await bench.get(address.path)
        #expect(answer.status.code == address.status, "\(address.path)")
        #expect(answer.headers[.contentType] == address.mediaType, "\(address.path)")
        if let location = answer.headers[.location] {
          #expect(location.hasPrefix(address.mark), "\(address.path)")
          #expect(answer.body.readableBytes == 0, "\(address.path)")
        } else {
          #expect(address.mark.isEmpty || answer.text.contains(address.mark), "\(address.path)")
        }
        let isPage = address.mediaType?.hasPrefix("text/html") ?? true
        for (name, part) in Self.securityHeaders + (isPage ? Self.securityHeadersOfPages : []) {
          #expect(answer.headers[values: .named(name)].count == 1, "\(address.path)")
          #expect(answer.headers[.named(name)]?.contains(part) == true, "\(address.path)")
        }
        #expect(!answer.headers[values: .named("content-security-policy")].joined().contains("unsafe"))
        let head = try await bench.send(.head, address.path)
        #expect(head.status == answer.status, "\(address.path)")
        #expect(head.body.readableBytes == 0, "\(address.path)")
        #expect(head.headers[.eTag] == answer.headers[.eTag], "\(address.path)")
        #expect(head.headers[.contentType] == answer.headers[.contentType], "\(address.path)")
      }
    }
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch, .options])
  func `rejects every method but GET and HEAD`(method: HTTPRequest.Method) async throws {
    try await withServer(storing: 6...6) { bench async throws in
      for path in [
        "/", "/6/", "/info.0.json", "/comics/6/image", "/healthz", "/nowhere", "/assets/style.css",
      ] {
        let answer = try await bench.send(method, path)
        #expect(answer.status == .methodNotAllowed, "\(path)")
        #expect(answer.headers[.allow] == "GET, HEAD", "\(path)")
        #expect(answer.headers[.named("x-content-type-options")] == "nosniff", "\(path)")
      }
    }
  }

  @Test(arguments: [
    "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2fPackage.swift",
    "/assets/%2e%2e%2fWeb.swift", "/comics/..%2f1/image", "/comics/1%2fimage/image", "/%00", "/1%00/", "/%zz",
    "/%",
    "/%e", "/%ff%fe", "/%c0%af", "/\u{fffd}", "/go?number=%zz", "/go?number=%00", "/go?number=%ff", "/go?%=%",
    "/comics?view=%00", "/comics/%ff/image", "/%ff/info.0.json", "/.git/config", "//evil.example/",
    "/\\evil.example",
    "/<script>alert(1)</script>", "/?<script>", "/6/%3Cscript%3E/", "/comics/-1/image", "/comics/+1/image",
    "/comics/%31/image", "/６/", "/go?number=６",
  ])
  func `is safe from hostile input`(path: String) async throws {
    try await withServer(storing: 6...6) { bench async throws in
      let answer = try await bench.get(path)
      #expect((200..<500).contains(answer.status.code))
      #expect(!answer.text.contains("<script>"))
      #expect(!answer.text.contains("root:"))
      #expect(!answer.text.contains("swift-tools-version"))
      #expect(answer.headers[.location]?.hasPrefix("//") != true)
      #expect(answer.headers[.named("x-content-type-options")] == "nosniff")
      #expect(bench.xkcd.takePaths() == [])
    }
  }

  @Test func `may be very long`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      for path in [
        "/" + String(repeating: "a", count: 100_000), "/" + String(repeating: "9", count: 100_000),
      ] {
        #expect(try await bench.get(path).status == .notFound)
      }
      let form = try await bench.get("/go?number=" + String(repeating: "%F0%9F%93%A6", count: 5_000))
      #expect(form.status == .badRequest)
    }
  }
}
