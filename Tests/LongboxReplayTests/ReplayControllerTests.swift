// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@testable import longbox_replay

@Suite struct ReplayControllerTests {
  private static let newRecord = #"""
    {"num":1610,"img":"https:\/\/imgs.xkcd.com\/comics\/new.png","year":"2015","month":"11","day":"30","alt":"caf\u00e9"}
    """#

  @Test func `publishes one comic after another`() async throws {
    try await withReplay(latest: 1193) { server async throws in
      #expect(try await server.get("/1446/info.0.json").status == .notFound)
      #expect(try await server.send(.post, "/_replay/publish").status == .ok)
      #expect(try await server.get("/info.0.json").text == Fixture.records[1446])
      #expect(try await server.send(.post, "/_replay/publish", #"{"number": 1609}"#).status == .ok)
      #expect(try await server.get("/1608/info.0.json").text == Fixture.records[1608])
      #expect(try await server.get("/info.0.json").text == Fixture.records[1609])
    }
  }

  @Test func `publishes an unrecorded comic, byte by byte if sent as text`() async throws {
    try await withReplay { server async throws in
      let text = String(decoding: try JSONEncoder().encode(Self.newRecord), as: UTF8.self)
      let picture = Data("new bytes".utf8).base64EncodedString()
      let response = try await server.send(
        .post,
        "/_replay/publish",
        #"{"record": \#(text), "picture": "\#(picture)"}"#
      )
      #expect(response.status == .ok)
      let latest = try await server.get("/info.0.json")
      #expect(latest.text == Self.newRecord)
      #expect(latest.headers[.lastModified] == HTTPDate.text(of: server.time.now))
      #expect(try await server.get("/1610/info.0.json").text == Self.newRecord)
      #expect(try await server.get("/comics/new.png").text == "new bytes")
    }
  }

  @Test func `publishes a comic sent as an object, with a placeholder picture`() async throws {
    try await withReplay { server async throws in
      let response = try await server.send(.post, "/_replay/publish", #"{"record": \#(Self.newRecord)}"#)
      #expect(response.status == .ok)
      let record = try await server.get("/1610/info.0.json")
      #expect(try record.decoded([String: JSONValue].self)["alt"] == .string("café"))
      #expect(try await server.get("/comics/new.png").headers[.contentType] == "image/png")
    }
  }

  @Test func `replaces fields and picture, which invalidates earlier validators`() async throws {
    try await withReplay { server async throws in
      let old = try await server.get("/859/info.0.json")
      let oldPicture = try await server.get("/comics/(.png")
      server.time.advance(by: 60)
      let picture = Data("better bytes".utf8).base64EncodedString()
      let change =
        #"{"number": 859, "fields": {"title": ")", "extra": [1, 2.5, null, true]}, "picture": "\#(picture)"}"#
      #expect(try await server.send(.post, "/_replay/replace", change).status == .ok)
      let validators: HTTPFields = [
        .ifNoneMatch: try #require(old.headers[.eTag]),
        .ifModifiedSince: try #require(old.headers[.lastModified]),
      ]
      let new = try await server.get("/859/info.0.json", headers: validators)
      #expect(new.status == .ok)
      let fields = try new.decoded([String: JSONValue].self)
      #expect(fields["title"] == .string(")"))
      #expect(fields["alt"] == .string("Hovering."))
      #expect(fields["extra"] == .array([.integer(1), .number(2.5), .null, .bool(true)]))
      let newPicture = try await server.get(
        "/comics/(.png",
        headers: [.ifNoneMatch: try #require(oldPicture.headers[.eTag])]
      )
      #expect(newPicture.text == "better bytes")
    }
  }

  /// The control route, the body, and a part of the error message.
  @Test(arguments: [
    ("publish", "{}", "Nothing is recorded above 1609: send a whole 'record'"),
    ("publish", #"{"number": 1610}"#, "Comic 1610 is not recorded: send a whole 'record'"),
    ("publish", #"{"number": 859}"#, "Comic 859 is out already (the latest is 1609)"),
    ("publish", #"{"number": 1610, "record": {}}"#, "the 'record' says its number itself"),
    ("publish", #"{"picture": "aaaa"}"#, "'picture': it goes with a 'record'"),
    ("publish", #"{"record": {"num": 1610}}"#, "This is not a record of xkcd's API: 'img' is missing."),
    ("publish", #"{"record": "nonsense"}"#, "This is not a record of xkcd's API: It is not JSON"),
    (
      "publish", #"{"numer": 1}"#,
      "'numer': A publication has no such field; its fields are number, picture, record."
    ),
    ("replace", "{}", "'number' is missing."), ("replace", #"{"number": 859}"#, "nothing changes"),
    ("replace", #"{"number": 404, "picture": "aaaa"}"#, "Comic 404 is not recorded"),
    ("replace", #"{"number": 1608, "picture": "aaaa"}"#, "The 'img' of comic 1608 names no file"),
    ("replace", #"{"number": 859, "picture": ""}"#, "The 'picture' for comic 859 is empty."),
    ("replace", #"{"number": 859, "picture": "%"}"#, "'picture': "),
    ("replace", #"{"number": 859, "fields": {"num": 1}}"#, "'num' can't be changed"),
    (
      "faults", #"{"kind": "cut", "tims": 1}"#,
      "'tims': The fault 'cut' has no such field; its fields are after,"
    ),
    ("faults", "[]", "The body is not an object."), ("faults", #"{"kind": "flood"}"#, "there is no 'flood'"),
    ("faults", #"{"kind": "cut", "path": "comics"}"#, "'path': it begins with a slash or a star."),
    ("faults", #"{"kind": "delay"}"#, "'delay': the fault 'delay' needs it, in milliseconds."),
    ("faults", #"{"kind": "status", "status": 99}"#, "'status': 99 is not from 200 to 599."),
    ("faults", #"{"kind": "status", "status": 503, "retryAfter": "1\n2"}"#, "'retryAfter': a header's value"),
    ("faults", #"{"kind": "length", "offset": 0}"#, "'offset': 0 would be the right length."),
    ("reset", #"{"recording": 1}"#, "'recording' is not true or false."),
    ("refuse", #"{"seconds": 0}"#, "'seconds': 0.0 is not from 0.01 to 600."),
  ])
  func `explains what is wrong with a request`(route: String, body: String, words: String) async throws {
    try await withReplay { server async throws in
      let response = try await server.send(.post, "/_replay/\(route)", body)
      #expect(response.status == .badRequest)
      let text = response.text.replacing(#"\/"#, with: "/")
      #expect(text.contains(words), "it says: \(text)")
      #expect(try await server.get("/info.0.json").text == Fixture.records[1609], "nothing has changed")
    }
  }

  @Test func `lists its addresses if one is unknown`() async throws {
    try await withReplay { server async throws in
      for method in [HTTPRequest.Method.get, .post, .delete] {
        let response = try await server.send(method, "/_replay/elsewhere")
        #expect(response.status == .notFound)
        #expect(response.text.contains("There is no such control address."))
      }
      #expect(try await server.send(.delete, "/_replay/faults/7").status == .notFound)
      #expect(
        try await server.send(.post, "/_replay/refuse", #"{"seconds": 1}"#).status == .serviceUnavailable
      )
    }
  }

  @Test func `removes faults`() async throws {
    try await withReplay { server async throws in
      for _ in 1...3 { _ = try await server.send(.post, "/_replay/faults", #"{"kind": "reset"}"#) }
      #expect(try await server.send(.delete, "/_replay/faults/2").status == .noContent)
      #expect(server.replayed.plan.entries.map(\.id) == [1, 3])
      #expect(try await server.send(.delete, "/_replay/faults").status == .noContent)
      #expect(server.replayed.plan.entries.isEmpty)
    }
  }

  @Test func `reports its requests, and clears them on a reset`() async throws {
    struct State: Decodable {
      struct Counts: Decodable {
        let requests: Int, byPath: [String: Int], userAgents: [String: Int], peakInFlight: Int
      }
      struct Entry: Decodable { let path: String, status: Int?, isConditional: Bool, userAgent: String? }
      let latest: Int, counts: Counts, requests: [Entry]
    }
    try await withReplay { server async throws in
      for _ in 1...2 { _ = try await server.get("/1/info.0.json", headers: [.userAgent: "Longbox/1"]) }
      _ = try await server.get("/404/?a=b", headers: [.ifNoneMatch: "\"x\""])
      let state = try await server.get("/_replay/state?last=2").decoded(State.self)
      #expect(state.latest == 1609)
      #expect(state.counts.requests == 3)
      #expect(state.counts.byPath == ["/1/info.0.json": 2, "/404/?a=b": 1])
      #expect(state.counts.userAgents["Longbox/1"] == 2)
      #expect(state.counts.peakInFlight == 1)
      #expect(state.requests.map(\.path) == ["/1/info.0.json", "/404/?a=b"])
      #expect(state.requests.map(\.status) == [200, 404])
      #expect(state.requests.map(\.isConditional) == [false, true])
      #expect(try await server.get("/_replay/state?last=x").status == .badRequest)

      _ = try await server.send(.post, "/_replay/publish", #"{"record": \#(Self.newRecord)}"#)
      #expect(try await server.send(.post, "/_replay/reset").status == .noContent)
      let second = try await server.get("/_replay/state").decoded(State.self)
      #expect(second.counts.requests == 0)
      #expect(second.requests.isEmpty)
      #expect(second.latest == 1610)
      #expect(try await server.send(.post, "/_replay/reset", #"{"recording": true}"#).status == .noContent)
      #expect(try await server.get("/1610/").status == .notFound)
    }
  }
}
