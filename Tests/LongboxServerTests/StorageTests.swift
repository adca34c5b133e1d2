// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxReaders
import LongboxStore
import TestSupport
import Testing

@testable import LongboxServer

@Suite("When nothing more can be stored") struct StorageTests {
  /// Limits that allow nothing to be written into a new library.
  private static var full: StorageLimits {
    var limits = StorageLimits()
    limits.libraries.freeSpace = .max
    return limits
  }

  @Test func `a form says so, and what was not saved`() async throws {
    try await withServer(storage: Self.full) { bench async throws in
      var reader = Browser(bench: bench)
      let answer = try await reader.send("/favorites/set", "comic=3&on=yes")
      #expect(answer.status.code == 507)
      #expect(answer.text.contains("Not saved") && answer.text.contains("Nothing else was changed or lost"))
      #expect(answer.headers[.setCookie] == nil)
      #expect(answer.headers[.contentSecurityPolicy] != nil)
    }
  }

  @Test func `a sync says so, and the device keeps its changes`() async throws {
    try await withServer(storage: Self.full) { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      try device.like(3)
      let answer = try await device.send()
      #expect(answer.status.code == 507)
      #expect(answer.headers[.retryAfter] == "60")
      #expect(device.replica.hasUnsentEdits)
    }
  }

  @Test func `a library that can't be stored isn't counted as started`() async throws {
    var limits = Self.full
    limits.newLibrariesPerHour = 3
    try await withServer(storage: limits) { bench async throws in
      for number in 1...5 {
        var reader = Browser(bench: bench)
        #expect(try await reader.send("/favorites/set", "comic=3&on=yes").status.code == 507, "\(number)")
        var device = SyncingDevice(bench, device: UInt64(number))
        try device.like(3)
        #expect(try await device.send().status.code == 507, "\(number)")
      }
    }
  }

  @Test func `pages go on, although nothing is noted`() async throws {
    let folder = TemporaryFolder()
    let time = SettableTime()
    let key = ReaderKey()
    let cookie = "library=\(LibraryCookie(key: key).value)"
    try await withServer(in: folder, time: time) { bench async throws in
      var reader = Browser(bench: bench, cookie: cookie)
      _ = try await reader.send("/favorites/set", "comic=3&on=yes")
    }
    try await withServer(in: folder, time: time, storage: Self.full) { bench async throws in
      let reader = Browser(bench: bench, cookie: cookie)
      let page = try await reader.get("/5/")
      #expect(page.status == .ok)
      #expect(try await reader.get("/favorites").text.contains("href=\"/3/?in=favorites\""))
      let stored = try await bench.back.store.libraries.library(key.libraryName)
      guard case .library(let replica) = stored else {
        Issue.record("the library is gone")
        return
      }
      #expect(replica.library.place?.comic.value != 5, "the note was refused")
    }
  }

  @Test func `a large library isn't taken on the first day, also of a reader who pairs two devices`()
    async throws
  {
    var limits = StorageLimits()
    limits.libraries.freeSpace = 0
    let time = SettableTime()
    try await withServer(time: time, storage: limits) { bench async throws in
      var phone = Browser(bench: bench)
      let offer = try await phone.send("/settings/move", "").text
      let code = try #require(offer.firstMatch(of: /\/join\?code=([\w-]+)/)?.1)
      var tablet = SyncingDevice(bench, device: 2)
      #expect(try await tablet.browser.send("/join", "code=\(code)").status == .ok)
      try tablet.fill("b")
      #expect(try await tablet.send().status.code == 507)
      #expect(tablet.replica.hasUnsentEdits)
      time.advance(by: 86_400)
      tablet.now += 86_400_000
      #expect(try await tablet.sync() <= 2)
      #expect(!tablet.replica.hasUnsentEdits)
    }
  }

  @Test func `libraries on their first day grow only so far together, by changes from one address`()
    async throws
  {
    var limits = StorageLimits()
    limits.libraries.freeSpace = 0
    limits.newBytesPerAddress = 2_000
    let time = SettableTime()
    let recorder = LogRecorder()
    try await withServer(time: time, storage: limits, trusting: .local, logger: recorder.logger) {
      bench async throws in
      var old = SyncingDevice(bench, device: 1)
      try old.like(1)
      try await old.sync()
      time.advance(by: 86_400)
      var taken = 0
      var rejected: TestResponse?
      for number in 2...9 where rejected == nil {
        var device = SyncingDevice(bench, device: UInt64(number))
        try device.like(Array(1...20))
        let answer = try await device.send()
        if answer.status == .ok { taken += 1 } else { rejected = answer }
      }
      #expect((1...4).contains(taken), "each library has some hundred bytes")
      #expect(rejected?.status == .tooManyRequests)
      let seconds = try #require(rejected?.headers[.retryAfter].flatMap { Int($0) })
      #expect(recorder.count(of: .newLibraries) == 1)
      old.now = time.now.milliseconds
      try old.like(Array(2...40))
      try await old.sync()
      #expect(!old.replica.hasUnsentEdits, "a reader who came back is not affected")
      var other = SyncingDevice(bench, device: 20)
      other.browser.fieldsOfProxy = [.named("X-Forwarded-For"): "203.0.113.7"]
      try other.like(Array(1...20))
      #expect(try await other.send().status == .ok, "nor is another address")
      time.advance(by: Double(seconds))
      var late = SyncingDevice(bench, device: 21)
      try late.like(Array(1...20))
      #expect(try await late.send().status == .ok)
    }
  }

  @Test func `a library that was paired today doesn't take the reserve of the disk`() async throws {
    let time = SettableTime()
    try await withServer(time: time, storage: Self.full) { bench async throws in
      var phone = Browser(bench: bench)
      let offer = try await phone.send("/settings/move", "").text
      let code = try #require(offer.firstMatch(of: /\/join\?code=([\w-]+)/)?.1)
      var tablet = SyncingDevice(bench, device: 1)
      #expect(try await tablet.browser.send("/join", "code=\(code)").status == .ok)
      try tablet.like(3)
      #expect(try await tablet.send().status.code == 507)
      #expect(tablet.replica.hasUnsentEdits)
      time.advance(by: 86_400)
      tablet.now += 86_400_000
      try await tablet.sync()
      #expect(!tablet.replica.hasUnsentEdits)
    }
  }

  @Test func `pairings with invented cookies count as new libraries, and keep the code`() async throws {
    var limits = StorageLimits()
    limits.newLibrariesPerHour = 3
    try await withServer(storage: limits) { bench async throws in
      for number in 1...4 {
        // Both devices have a key, as after an earlier visit, and neither has a library on the server.
        var one = Browser(bench: bench, cookie: "library=\(LibraryCookie(key: ReaderKey()).value)")
        let invented = "library=\(LibraryCookie(key: ReaderKey()).value)"
        var other = Browser(bench: bench, cookie: invented)
        let offer = try await one.send("/settings/move", "").text
        let code = try #require(offer.firstMatch(of: /\/join\?code=([\w-]+)/)?.1)
        let answer = try await other.send("/join", "code=\(code)")
        guard number == 4 else {
          #expect(answer.status == .ok)
          continue
        }
        #expect(answer.status == .tooManyRequests)
        #expect(answer.headers[.retryAfter] == "1200")
        #expect(answer.text.contains("Not saved") && answer.text.contains("Too many new readers"))
        #expect(other.cookie == invented)
        #expect(try await bench.back.store.usage().libraries == 3)
        #expect(try await Browser(bench: bench).get("/join?code=\(code)").status == .ok)
      }
    }
  }

  @Test func `feeds of readers without a library count as new libraries`() async throws {
    var limits = StorageLimits()
    limits.newLibrariesPerHour = 3
    try await withServer(storage: limits) { bench async throws in
      var first = Browser(bench: bench)
      #expect(try await first.send("/feeds/favorites", "action=make").status == .seeOther)
      for _ in 0..<2 {
        var another = Browser(bench: bench)
        #expect(try await another.send("/feeds/favorites", "action=make").status == .seeOther)
      }
      #expect(try await bench.back.store.usage().libraries == 3, "a feed ends with its library")
      var fourth = Browser(bench: bench)
      let rejected = try await fourth.send("/feeds/favorites", "action=make")
      #expect(rejected.status == .tooManyRequests)
      #expect(rejected.headers[.retryAfter] == "1200")
      #expect(fourth.cookie == nil)
      #expect(try await first.send("/feeds/favorites", "action=make").status == .seeOther)
    }
  }

  @Test func `a sync that would start too many libraries is logged once a minute, with its client`()
    async throws
  {
    var limits = StorageLimits()
    limits.newLibrariesPerHour = 1
    let recorder = LogRecorder()
    try await withServer(storage: limits, trusting: .local, logger: recorder.logger) { bench async throws in
      for number in 1...3 {
        var device = SyncingDevice(bench, device: UInt64(number))
        device.browser.fieldsOfProxy = [.named("X-Forwarded-For"): "203.0.113.7"]
        try device.like(3)
        #expect(try await device.send().status == (number == 1 ? .ok : .tooManyRequests))
      }
    }
    let line = LogRecorder.Line(text: Incident.newLibraries.sentence, count: "1", last: "203.0.113.7")
    #expect(recorder.lines.filter { $0.text == line.text } == [line])
  }

  @Test func `only so many libraries are started from one address`() async throws {
    var limits = StorageLimits()
    limits.newLibrariesPerHour = 3
    let time = SettableTime()
    let recorder = LogRecorder()
    try await withServer(time: time, storage: limits, logger: recorder.logger) { bench async throws in
      var first = Browser(bench: bench)
      _ = try await first.send("/favorites/set", "comic=1&on=yes")
      for _ in 0..<2 {
        var another = Browser(bench: bench)
        #expect(try await another.send("/favorites/set", "comic=1&on=yes").headers[.setCookie] != nil)
      }
      var fourth = Browser(bench: bench)
      let rejected = try await fourth.send("/favorites/set", "comic=1&on=yes")
      #expect(rejected.status == .tooManyRequests)
      #expect(rejected.headers[.retryAfter] == "1200")
      #expect(rejected.headers[.setCookie] == nil)
      #expect(rejected.text.contains("Too many new readers"))
      _ = try await fourth.send("/favorites/set", "comic=1&on=yes")
      #expect(recorder.count(of: .newLibraries) == 1, "the second is counted for the next line")
      let known = try await first.send("/favorites/set", "comic=2&on=yes")
      #expect(known.status == .seeOther, "a reader with a library is not affected")
      time.advance(by: 1200)
      #expect(try await fourth.send("/favorites/set", "comic=1&on=yes").headers[.setCookie] != nil)
    }
  }
}
