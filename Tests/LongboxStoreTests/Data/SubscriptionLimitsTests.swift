// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

@Suite("Push subscriptions beyond a limit") struct SubscriptionLimitsTests {
  private let folder = TemporaryFolder()
  private let noon = Date(timeIntervalSince1970: 1_800_000_000)
  private let library = LibraryName(key: [1])

  /// Saves a subscription; returns whether there was room for it.
  @discardableResult
  private func save(
    _ name: String,
    of library: LibraryName? = nil,
    in store: Store,
    confirms: Bool = false,
    atMost limit: Int = SubscriptionLimits.all
  ) async throws -> Bool {
    let new = NewSubscription(
      endpoint: "https://push.example.net/\(name)",
      service: "https://push.example.net",
      publicKey: [UInt8](repeating: 4, count: 65),
      secret: [UInt8](repeating: 5, count: 16),
      library: library
    )
    let stored = try await store.write { [noon] database in
      try database.subscriptions.put(new, newest: nil, at: noon, atMost: limit)
    }
    guard let stored else { return false }
    if confirms { try await store.subscriptions.confirm(stored) }
    return true
  }

  /// Interrupts a subscription, as when its push service rejects a new key of this server.
  private func interrupt(_ name: String, in store: Store) async throws {
    let all = try await store.subscriptions.all()
    let subscription = try #require(all.first { $0.endpoint.hasSuffix("/\(name)") })
    let change = SubscriptionUpdate.Change.interrupted(until: noon, reason: "The key is another one.")
    let update = SubscriptionUpdate(subscription.id, change, at: subscription.endpoint)
    try await store.announcements.update([update], at: noon)
  }

  private func names(in store: Store) async throws -> [String] {
    try await store.subscriptions.all().map { $0.endpoint.split(separator: "/").last?.description ?? "" }
  }

  @Test(arguments: Engine.tested)
  func `replace their library's oldest unconfirmed ones`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await save("other", in: store)
    let all = (1...SubscriptionLimits.ofLibrary).map { "\($0)" }
    for name in all { try await save(name, of: library, in: store, confirms: name != "3" && name != "5") }
    #expect(try await names(in: store) == ["other"] + all)
    #expect(try await save("next", of: library, in: store))
    let withoutOne = ["other"] + all.filter { $0 != "3" } + ["next"]
    #expect(try await names(in: store) == withoutOne)
    #expect(try await save("last", of: library, in: store))
    let withoutTwo = withoutOne.filter { $0 != "5" } + ["last"]
    #expect(try await names(in: store) == withoutTwo)
  }

  @Test(arguments: Engine.tested)
  func `replace their library's oldest one if all are confirmed`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await save("other", of: LibraryName(key: [2]), in: store)
    let all = (1...SubscriptionLimits.ofLibrary).map { "\($0)" }
    for name in all { try await save(name, of: library, in: store, confirms: true) }
    #expect(try await save("next", of: library, in: store))
    let withoutOne = ["other"] + all.filter { $0 != "1" } + ["next"]
    #expect(try await names(in: store) == withoutOne)
  }

  @Test(arguments: Engine.tested)
  func `replace the oldest unconfirmed ones, and no others`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    for name in ["a", "b", "c", "d"] {
      try await save(name, in: store, confirms: name == "a" || name == "c", atMost: 4)
    }
    #expect(try await save("e", in: store, confirms: true, atMost: 4))
    #expect(try await names(in: store) == ["a", "c", "d", "e"])
    #expect(try await save("f", in: store, confirms: true, atMost: 4))
    #expect(try await names(in: store) == ["a", "c", "e", "f"])
    #expect(try await !save("g", in: store, atMost: 4), "All are confirmed.")
    #expect(try await names(in: store) == ["a", "c", "e", "f"])
    #expect(try await save("a", in: store, atMost: 4), "It is known.")
  }

  @Test(arguments: Engine.tested)
  func `replace those never confirmed before interrupted ones`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    for name in ["a", "b", "c"] { try await save(name, in: store, confirms: name != "c", atMost: 3) }
    try await interrupt("a", in: store)
    #expect(try await save("d", in: store, confirms: true, atMost: 3))
    #expect(try await names(in: store) == ["a", "b", "d"])
    #expect(try await save("e", in: store, atMost: 3), "Then an interrupted one makes room.")
    #expect(try await names(in: store) == ["b", "d", "e"])
  }

  @Test(arguments: Engine.tested)
  func `replace their library's interrupted ones after those never confirmed`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let all = (1...SubscriptionLimits.ofLibrary).map { "\($0)" }
    for name in all { try await save(name, of: library, in: store, confirms: name != "5") }
    try await interrupt("2", in: store)
    #expect(try await save("next", of: library, in: store, confirms: true))
    let withoutOne = all.filter { $0 != "5" } + ["next"]
    #expect(try await names(in: store) == withoutOne)
    #expect(try await save("last", of: library, in: store))
    let withoutTwo = withoutOne.filter { $0 != "2" } + ["last"]
    #expect(try await names(in: store) == withoutTwo)
  }
}
