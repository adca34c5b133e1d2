// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxStore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("A device's sync") struct SyncTests {
  @Test func `transfers changes from one device to another`() async throws {
    try await withServer { bench async throws in
      var phone = SyncingDevice(bench, device: 1)
      try phone.like(5, 3)
      #expect(try await phone.sync() == 1)
      var tablet = SyncingDevice(bench, device: 2, cookie: phone.browser.cookie)
      try tablet.like(6)
      try await tablet.sync()
      try await phone.sync()
      #expect(phone.favorites == [3, 5, 6])
      #expect(tablet.favorites == [3, 5, 6])
    }
  }

  @Test func `and page forms work on the same library`() async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      _ = try await device.browser.send("/favorites/set", "comic=2&on=yes")
      try device.like(5)
      try await device.sync()
      #expect(device.favorites == [2, 5])
      #expect(try await device.browser.get("/favorites").text.contains("href=\"/5/?in=favorites\""))
      _ = try await device.browser.send("/favorites/set", "comic=5&on=no")
      try await device.sync()
      #expect(device.favorites == [2])
    }
  }

  @Test func `creates the library with the first change, not before`() async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      #expect(try await device.send().headers[.setCookie] == nil)
      #expect(try await bench.back.store.usage().libraries == 0)
      try device.like(5)
      let answer = try await device.send()
      #expect(answer.headers[.setCookie]?.contains("; HttpOnly") == true)
      #expect(answer.headers[.cacheControl] == "private, no-store")
      #expect(answer.headers[.contentType] == "application/octet-stream")
      #expect(try await bench.back.store.usage().libraries == 1)
    }
  }

  @Test func `is on disk when it is acknowledged`() async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      try device.like(5)
      _ = try await device.send()
      let name = try #require(LibraryCookie(in: device.browser.cookie)).libraryName
      guard case .library(let stored) = try await bench.back.store.libraries.library(name) else {
        Issue.record("nothing is stored")
        return
      }
      #expect(stored.library.favorites.map(\.comic.value) == [5])
    }
  }

  @Test func `repeats changes whose reply was lost`() async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      try device.like(1)
      _ = try await device.send()
      _ = try await device.send()
      try device.like(2)
      try await device.sync()
      var other = SyncingDevice(bench, device: 2, cookie: device.browser.cookie)
      try await other.sync()
      #expect(other.favorites == [1, 2])
    }
  }

  @Test func `from a clock that is days ahead gets the server's time`() async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      let present = device.now
      device.now += 3 * 86_400_000
      try device.like(4)
      #expect(try await device.sync() == 2)
      #expect(device.replica.library.latest.time <= present + LibraryClock.tolerance)
      var other = SyncingDevice(bench, device: 2, cookie: device.browser.cookie)
      try await other.sync()
      #expect(other.favorites == [4])
    }
  }

  @Test func `does not transfer local settings`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      _ = try await browser.send("/favorites/set", "comic=2&on=yes")
      _ = try await browser.send("/settings/set", "keep=off&back=/settings")
      var device = SyncingDevice(bench, device: 1, cookie: browser.cookie)
      try device.replica.library.set(.keepComics, to: true, at: device.replica.editTime(at: device.now))
      try await device.sync()
      #expect(device.replica.library.value(of: .keepComics))
    }
  }

  /// Restores an older copy of the data folder; the library has the same name and continues from there.
  @Test func `with a server restored from an old backup loses nothing`() async throws {
    let (folder, backup) = (TemporaryFolder(), TemporaryFolder())
    let kept = Kept()
    try await withServer(in: folder) { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      try device.like(1)
      try await device.sync()
      try folder.copy(to: backup)
      try device.like(2, 3)
      try await device.sync()
      await kept.keep(device.replica, device.browser.cookie)
    }
    let (replica, cookie) = (try #require(await kept.replica), await kept.cookie)
    try await withServer(in: backup) { bench async throws in
      var device = SyncingDevice(bench, device: 1, cookie: cookie)
      device.replica = replica
      _ = try await device.browser.send("/favorites/set", "comic=4&on=yes")
      _ = try await device.browser.send("/favorites/set", "comic=6&on=yes")
      try device.like(5)
      try await device.sync()
      #expect(device.favorites == [1, 2, 3, 4, 5, 6])
      let page = try await device.browser.get("/favorites").text
      for comic in 1...6 { #expect(page.contains("href=\"/\(comic)/?in=favorites\""), "comic \(comic)") }
    }
  }

  @Test func `is rejected from other sites`() async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      try device.like(5)
      let body = ByteBuffer(bytes: device.replica.request(nonce: 1).encoded())
      for headers in [[:], [.origin: "http://evil.example"]] as [HTTPFields] {
        let answer = try await device.browser.post("/sync", body, as: "application/octet-stream", headers)
        #expect(answer.status == .forbidden)
      }
      #expect(try await bench.back.store.usage().libraries == 0)
    }
  }

  @Test(arguments: ["application/x-www-form-urlencoded", "text/plain", nil])
  func `is rejected with another media type`(mediaType: String?) async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      try device.like(5)
      let body = ByteBuffer(bytes: device.replica.request(nonce: 1).encoded())
      let answer = try await device.browser.post("/sync", body, as: mediaType)
      #expect(answer.status == .unsupportedMediaType)
      #expect(answer.text.contains("octet-stream"))
      #expect(try await bench.back.store.usage().libraries == 0)
    }
  }

  /// Damage to a request's bytes, and a part of the error message.
  enum Damage: CaseIterable {
    case nothing, cut, flipped, foreign, reply

    var said: String {
      switch self {
      case .nothing, .foreign: "not a Longbox library"
      case .cut: "cut or padded"
      case .flipped: "damaged"
      case .reply: "of kind 4"
      }
    }

    func of(_ request: [UInt8]) -> [UInt8] {
      switch self {
      case .nothing: return []
      case .cut: return request.dropLast()
      case .flipped:
        var bytes = request
        bytes[20] ^= 1
        return bytes
      case .foreign: return Array("comic=5&on=yes and some more".utf8)
      case .reply: return SyncReply(nonce: 1, time: 1, outcome: .tooFarAhead(limit: 1)).encoded()
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func `is rejected if it is malformed`(damage: Damage) async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      try device.like(5)
      let body = ByteBuffer(bytes: damage.of(device.replica.request(nonce: 1).encoded()))
      let answer = try await device.browser.post("/sync", body, as: "application/octet-stream")
      #expect(answer.status == .badRequest)
      #expect(answer.text.contains(damage.said), "\(answer.text)")
      #expect(answer.headers[.setCookie] == nil)
      #expect(try await bench.back.store.usage().libraries == 0)
    }
  }

  @Test func `is rejected if it is longer than any library`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let body = ByteBuffer(repeating: 0, count: SyncController.bodyLimit + 1)
      let answer = try await browser.post("/sync", body, as: "application/octet-stream")
      #expect(answer.status == .contentTooLarge)
    }
  }

  @Test func `is rejected if the library would be too large`() async throws {
    try await withServer { bench async throws in
      var first = SyncingDevice(bench, device: 1)
      try first.fill("a")
      try await first.sync()
      var second = SyncingDevice(bench, device: 2, cookie: first.browser.cookie)
      try second.fill("b")
      let answer = try await second.send()
      #expect(answer.status == .contentTooLarge)
      #expect(answer.text.contains("The library is full"))
      #expect(try await first.sync() == 1, "the first device's library is as it was")
    }
  }

  @Test func `is the only method at its address`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get("/sync")
      #expect(answer.status == .methodNotAllowed)
      #expect(answer.headers[.allow] == "POST")
    }
  }
}

/// Keeps a device's state while servers come and go.
private actor Kept {
  var replica: Replica?
  var cookie: String?

  func keep(_ replica: Replica, _ cookie: String?) {
    self.replica = replica
    self.cookie = cookie
  }
}
