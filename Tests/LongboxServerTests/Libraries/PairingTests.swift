// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxReaders
import LongboxStore
import TestSupport
import Testing

@testable import LongboxServer

extension Browser {
  /// Requests a new link and returns its code.
  fileprivate mutating func code() async throws -> String {
    let page = try await send("/settings/move", "")
    #expect(page.status == .ok)
    let link = try #require(page.text.firstMatch(of: /\/join\?code=([\w-]+)/))
    return String(link.1)
  }

  fileprivate func favorites(_ comics: Range<Int> = 1..<7) async throws -> Set<Int> {
    let page = try await get("/favorites").text
    return Set(comics.filter { page.contains("href=\"/\($0)/?in=favorites\"") })
  }

  fileprivate mutating func like(_ comic: Int) async throws {
    _ = try await send("/favorites/set", "comic=\(comic)&on=yes")
  }
}

@Suite("Pairing") struct PairingTests {
  @Test func `merges two libraries, which both devices then share`() async throws {
    try await withServer { bench async throws in
      var one = Browser(bench: bench)
      var other = Browser(bench: bench)
      try await one.like(1)
      try await other.like(2)
      let code = try await one.code()
      let question = try await other.get("/join?code=\(code)")
      #expect(question.text.contains("library has 1 favorite; this device’s has 1 favorite"))
      #expect(try await other.favorites() == [2], "to ask is not to join")
      let answer = try await other.send("/join", "code=\(code)")
      #expect(answer.status == .ok)
      #expect(answer.text.contains("2 favorites"))
      #expect(answer.headers[.cacheControl] == "private, no-store")
      #expect(one.cookie == other.cookie)
      try await other.like(3)
      #expect(try await one.favorites() == [1, 2, 3])
      #expect(try await other.favorites() == [1, 2, 3])
    }
  }

  @Test func `works if neither device has a library`() async throws {
    try await withServer { bench async throws in
      var one = Browser(bench: bench)
      var other = Browser(bench: bench)
      let code = try await one.code()
      _ = try await other.send("/join", "code=\(code)")
      #expect(one.cookie != nil && one.cookie == other.cookie)
      try await other.like(3)
      #expect(try await one.favorites() == [3])
    }
  }

  @Test func `lets a device with the old key use the shared library`() async throws {
    try await withServer { bench async throws in
      var desktop = Browser(bench: bench)
      try await desktop.like(1)
      var phone = SyncingDevice(bench, device: 1)
      try phone.like(2)
      try await phone.sync()
      var tablet = SyncingDevice(bench, device: 2, cookie: phone.browser.cookie)
      try await tablet.sync()
      try tablet.like(4)
      let code = try await desktop.code()
      _ = try await phone.browser.send("/join", "code=\(code)")
      try phone.like(3)
      try await phone.sync()
      try await tablet.sync()
      try await phone.sync()
      #expect(tablet.browser.cookie != phone.browser.cookie)
      #expect(tablet.favorites == [1, 2, 3, 4])
      #expect(phone.favorites == [1, 2, 3, 4])
      #expect(try await desktop.favorites() == [1, 2, 3, 4])
      #expect(try await bench.back.store.usage().libraries == 1)
    }
  }

  @Test func `of libraries that were paired before merges all of them`() async throws {
    let folder = TemporaryFolder()
    let cookies = Cookies()
    try await withServer(in: folder) { bench async throws in
      var browsers = (0..<4).map { _ in Browser(bench: bench) }
      for place in browsers.indices { try await browsers[place].like(place + 1) }
      let old = browsers.map(\.cookie)
      for place in 1..<4 {
        let code = try await browsers[place].code()
        _ = try await browsers[place - 1].send("/join", "code=\(code)")
      }
      await cookies.keep(old)
    }
    try await withServer(in: folder) { bench async throws in
      for cookie in await cookies.all {
        #expect(try await Browser(bench: bench, cookie: cookie).favorites() == [1, 2, 3, 4])
      }
      #expect(try await bench.back.store.usage().libraries == 1)
    }
  }

  @Test func `of devices that share a library changes nothing, and keeps the link`() async throws {
    try await withServer { bench async throws in
      var one = Browser(bench: bench)
      try await one.like(1)
      let code = try await one.code()
      #expect(try await one.get("/join?code=\(code)").text.contains("share one library"))
      #expect(try await Browser(bench: bench).get("/join?code=\(code)").status == .ok)
    }
  }

  @Test func `rejects a used link, but the device that used it sees the result again`() async throws {
    try await withServer { bench async throws in
      var one = Browser(bench: bench)
      var other = Browser(bench: bench)
      var late = Browser(bench: bench)
      try await late.like(5)
      let code = try await one.code()
      _ = try await other.send("/join", "code=\(code)")
      let rejected = try await late.send("/join", "code=\(code)")
      #expect(rejected.status == .gone)
      #expect(rejected.text.contains("used already"))
      #expect(try await late.favorites() == [5])
      #expect(try await other.send("/join", "code=\(code)").status == .ok)
    }
  }

  @Test func `rejects a link that is expired, cut or invented`() async throws {
    let time = SettableTime()
    try await withServer(time: time) { bench async throws in
      var one = Browser(bench: bench)
      let code = try await one.code()
      let other = Browser(bench: bench)
      #expect(try await other.get("/join?code=\(code.dropLast())").status == .notFound)
      #expect(try await other.get("/join").status == .notFound)
      time.advance(by: 601)
      let old = try await other.get("/join?code=\(code)")
      #expect(old.status == .gone)
      #expect(old.text.contains("has expired"))
    }
  }

  @Test func `limits the codes of an address, whatever its cookies, and leaves other addresses alone`()
    async throws
  {
    let recorder = LogRecorder()
    try await withServer(trusting: .local, logger: recorder.logger) { bench async throws in
      for _ in 0..<30 {
        var attacker = Browser(bench: bench, cookie: "library=\(LibraryCookie(key: ReaderKey()).value)")
        _ = try await attacker.code()
      }
      var attacker = Browser(bench: bench)
      let rejected = try await attacker.send("/settings/move", "")
      #expect(rejected.status == .tooManyRequests)
      #expect(rejected.headers[.retryAfter] == "20")
      #expect(recorder.count(of: .newCodes) == 1)
      var reader = Browser(bench: bench)
      reader.fieldsOfProxy = [.named("X-Forwarded-For"): "203.0.113.7"]
      _ = try await reader.code()
    }
  }

  @Test func `asks who guesses codes to wait, and takes right codes all the same`() async throws {
    let time = SettableTime()
    let recorder = LogRecorder()
    try await withServer(time: time, logger: recorder.logger) { bench async throws in
      var one = Browser(bench: bench)
      let code = try await one.code()
      let other = Browser(bench: bench)
      for _ in 0..<PairingCodeRules.missLimit { _ = try await other.get("/join?code=wrong") }
      #expect(recorder.count(of: .unknownCodes) == 0)
      var rejected = try await other.get("/join?code=wrong")
      #expect(recorder.count(of: .unknownCodes) == 1)
      rejected = try await other.get("/join?code=wrong")
      #expect(recorder.count(of: .unknownCodes) == 1, "the second is counted for the next line")
      #expect(rejected.status == .tooManyRequests)
      #expect(rejected.headers[.retryAfter] == "60")
      #expect(try await other.get("/join?code=\(code)").status == .ok)
      time.advance(by: 60)
      #expect(try await other.get("/join?code=wrong").status == .notFound)
    }
  }

  @Test func `requires a form from our own pages`() async throws {
    try await withServer { bench async throws in
      var one = Browser(bench: bench)
      var other = Browser(bench: bench)
      let code = try await one.code()
      let evil: HTTPFields = [.origin: "http://evil.example"]
      #expect(try await other.send("/join", "code=\(code)", evil).status == .forbidden)
      #expect(try await other.send("/settings/move", "", evil).status == .forbidden)
      #expect(try await other.get("/join?code=\(code)").status == .ok, "the link was not spent")
      #expect(try await other.get("/settings/move").headers[.location] == "/settings")
    }
  }

  @Test func `that would make a library too large changes nothing, and keeps the link`() async throws {
    try await withServer { bench async throws in
      var first = SyncingDevice(bench, device: 1)
      try first.fill("a")
      try await first.sync()
      var second = SyncingDevice(bench, device: 2)
      try second.fill("b")
      try await second.sync()
      let code = try await first.browser.code()
      let own = second.browser.cookie
      let rejected = try await second.browser.send("/join", "code=\(code)")
      #expect(rejected.status == .conflict)
      #expect(second.browser.cookie == own)
      #expect(try await second.sync() == 1)
      #expect(try await second.browser.get("/join?code=\(code)").status == .ok)
    }
  }

  @Test func `offers a link with the address by which the reader came`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let headers: HTTPFields = [.origin: "https://localhost", .named("X-Forwarded-Proto"): "https"]
      let page = try await browser.send("/settings/move", "", headers)
      #expect(page.text.contains("href=\"https://localhost/join?code="))
      #expect(page.text.contains("Another device can’t reach localhost."))
      #expect(page.text.contains("href=\"/settings/phone\""))
      #expect(page.text.contains("<svg class=\"qr\""))
      #expect(page.headers[.cacheControl] == "private, no-store")
    }
  }
}

private actor Cookies {
  var all: [String?] = []

  func keep(_ cookies: [String?]) {
    all = cookies
  }
}
