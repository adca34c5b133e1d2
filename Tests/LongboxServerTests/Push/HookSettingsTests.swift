// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxCore
import LongboxPush
import LongboxStore
import NIOCore
import PushTestSupport
import TestSupport
import Testing

@testable import LongboxCatalog
@testable import LongboxServer

@Suite("Hooks of the server", .timeLimit(.minutes(10))) struct HookSettingsTests {
  /// Runs a test with a server on a socket, whose hooks lead to a stand-in.
  private func withSocket(
    at site: SiteAddress = SiteAddress(),
    answering reply: FakePushService.Reply,
    _ test: @Sendable (CatalogBench, any TestClientProtocol, FakePushService) async throws -> Void
  ) async throws {
    try await FakePushService.run(answering: { _ in reply }) { service async throws in
      try await withCatalog(FakeXkcd(latest: 3)) { back in
        var settings = ServerSettings(port: 0)
        settings.site = site
        let hooks = try [
          Hook("\(service.origin)/tokentoken"), Hook("ntfy://127.0.0.1:\(service.port)/topictopic"),
        ]
        settings.hooks = HookSender(hooks, userAgent: "Longbox/7")
        let application = Server.application(
          catalog: back.catalog,
          store: back.store,
          settings: settings,
          now: { [time = back.time] in time.now },
          logger: .silent
        )
        try await application.test(.live) { client in
          try await eventually { try await client.execute(uri: "/3/", method: .get) { $0.status == .ok } }
          try await eventually {
            try await !back.store.hooks.last(of: hooks.map(\.id)).isEmpty
          }
          try await test(back, client, service)
        }
      }
    }
  }

  private func post(_ form: String, to client: any TestClientProtocol, site: String = "same-origin")
    async throws
    -> TestResponse
  {
    try await client.executeRequest(
      uri: "/settings/server",
      method: .post,
      headers: [
        .named("Sec-Fetch-Site"): site, .contentType: "application/x-www-form-urlencoded",
      ],
      body: ByteBuffer(string: form)
    )
  }

  /// The page that a form leads to.
  private func page(after form: TestResponse, _ client: any TestClientProtocol) async throws -> String {
    #expect(form.status == .seeOther)
    let location = try #require(form.headers[.location]).split(separator: "#")
    return try await client.execute(uri: String(try #require(location.first)), method: .get) { $0.text }
  }

  @Test func `are shown to the operator without their secrets, and tested`() async throws {
    let address = try #require(PublicAddress(url: "https://comics.example.org"))
    try await withSocket(at: SiteAddress(address), answering: .status(404, body: "no tokentoken <b>here</b>"))
    {
      _,
      client,
      service async throws in
      let page = try await client.execute(uri: "/settings/server", method: .get) { $0.text }
      #expect(page.contains("Hooks for new comics") && page.contains("1. JSON at 127.0.0.1:\(service.port)"))
      #expect(page.contains("Comics after 3 are announced."))
      #expect(!page.contains("tokentoken") && !page.contains("topictopic"))
      let tested = try await self.page(after: post("hook=1", to: client), client)
      #expect(tested.contains("Test of hook 1: JSON at 127.0.0.1:\(service.port) answered 404: no …"))
      #expect(!tested.contains("<b>here"))
      let message = try #require(service.messages.first)
      #expect(message.path == "/tokentoken" && message.field("X-Longbox-Event") == "test")
      let sent = try JSONDecoder().decode(Sent.self, from: Data(message.body))
      #expect(sent.event == "test" && sent.site == "https://comics.example.org")
      #expect(sent.comic.number == 3 && sent.comic.page == "/3/")
    }
  }

  private struct Sent: Decodable {
    struct Comic: Decodable {
      var number: Int
      var page: String
    }
    var event: String
    var site: String?
    var comic: Comic
  }

  @Test func `get paths that come after the site, below a base path, too`() async throws {
    let address = try #require(PublicAddress(url: "https://example.org/longbox"))
    try await withCatalog(FakeXkcd(latest: 3)) { back async throws in
      try await back.catalog.refresher.checkNewest()
      let comic = try #require(back.catalog.snapshot.archive.latest)
      let message = try HookMessage(about: comic, on: SiteAddress(address))
      let sent = try JSONDecoder().decode(Sent.self, from: Data(message.json))
      #expect(sent.site == "https://example.org" && sent.comic.page == "/longbox/3/")
      #expect(message.link == "https://example.org/longbox/3/")
    }
  }

  @Test func `are not tested by other sites, and only if they exist`() async throws {
    try await withSocket(answering: .status(200, body: #"{"id":"a"}"#)) { _, client, service async throws in
      #expect(try await post("hook=1", to: client, site: "cross-site").status == .forbidden)
      for form in ["", "hook=0", "hook=3", "hook=x", "hook=\(Int.min)"] {
        #expect(try await post(form, to: client).status == .badRequest)
      }
      #expect(service.messages.isEmpty)
      let tested = try await post("hook=2", to: client)
      for _ in 1...2 {
        let page = try await self.page(after: tested, client)
        #expect(page.contains("Test of hook 2: The service has taken it."))
      }
      #expect(service.messages.count == 1, "Loading the page again sends nothing.")
      let body = String(decoding: try #require(service.messages.first).body, as: UTF8.self)
      #expect(body.contains("https://xkcd.com/3/"), "Without a public address the link leads to xkcd.com.")
    }
  }

  @Test func `say so where the result of a test is unknown`() async throws {
    try await withSocket(answering: .status(204)) { _, client, _ async throws in
      for hook in ["1", "\(Int.max)"] {
        let page = try await client.execute(uri: "/settings/server?tested=\(hook)", method: .get) { $0.text }
        #expect(page.contains("The result of this test is not known any more."))
      }
      let page = try await client.execute(uri: "/settings/server?tested=x", method: .get) { $0.text }
      #expect(!page.contains("of this test"))
    }
  }

  @Test func `are notified of a new comic by the running server`() async throws {
    try await withSocket(answering: .status(200, body: #"{"id":"a"}"#)) {
      back,
      client,
      service async throws in
      back.xkcd.publish(upTo: 4)
      try await back.catalog.refresher.checkNewest()
      await eventually { service.messages.count == 2 }
      #expect(Set(service.messages.map(\.path)) == ["/tokentoken", "/"])
      try await eventually {
        try await client.execute(uri: "/settings/server", method: .get) {
          $0.text.components(separatedBy: "Comic 4 was delivered").count == 3
        }
      }
    }
  }
}
