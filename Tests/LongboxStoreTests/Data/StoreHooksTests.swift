// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

@Suite("Deliveries to hooks in the store") struct StoreHooksTests {
  private let folder = TemporaryFolder()
  private let date = Date(timeIntervalSince1970: 1_800_000_000)
  private let a = [UInt8](repeating: 1, count: 32)
  private let b = [UInt8](repeating: 2, count: 32)

  private func number(_ value: Int) throws -> Comic.Number { try #require(Comic.Number(value)) }

  @Test(arguments: Engine.tested)
  func `start after the newest comic, and skip all but the newest of many`(engine: Engine) async throws {
    let hooks = try await engine.open(folder.url).hooks
    #expect(try await hooks.last(of: [a]) == [:])
    try await hooks.schedule(for: [a], upTo: number(400), atMost: 3, at: date)
    #expect(try await hooks.due(a, at: date).isEmpty)
    #expect(try await hooks.nextTry(of: [a], at: date) == nil)
    #expect(try await hooks.latest(of: [a, b]).map { $0?.state } == [.skipped, nil])
    try await hooks.schedule(for: [a, b], upTo: number(405), atMost: 3, at: date)
    #expect(try await hooks.last(of: [a, b]) == [a: number(405), b: number(405)])
    // There is no comic 404.
    #expect(try await hooks.due(a, at: date).map(\.comic.value) == [403, 405])
    #expect(try await hooks.due(b, at: date).isEmpty)
    for _ in 1...2 { try await hooks.schedule(for: [a], upTo: number(405), atMost: 3, at: date + 9) }
    #expect(try await hooks.due(a, at: date).count == 2)
  }

  @Test(arguments: Engine.tested)
  func `are claimed once, and end once`(engine: Engine) async throws {
    let hooks = try await engine.open(folder.url).hooks
    for comic in [1, 2] { try await hooks.schedule(for: [a], upTo: number(comic), atMost: 3, at: date) }
    let due = try #require(try await hooks.due(a, at: date).first)
    var claim = due
    claim.attempts += 1
    claim.nextTry = date + 120
    #expect(try await hooks.update(due, to: claim))
    #expect(try await hooks.update(due, to: claim) == false, "Another node has it.")
    #expect(try await hooks.due(a, at: date + 119).isEmpty)
    #expect(try await hooks.nextTry(of: [a, b], at: date) == date + 120)
    let past = date - 10 * 86_400
    #expect(try await hooks.nextTry(of: [a], at: past) == past, "The clock was ahead, and is right again.")
    #expect(try await hooks.due(a, at: past).map(\.comic) == [due.comic])
    var second = claim
    second.attempts += 1
    #expect(try await hooks.update(claim, to: second))
    var end = claim
    (end.state, end.nextTry, end.failure) = (.delivered, nil, nil)
    #expect(
      try await hooks.update(claim, to: end),
      "An acknowledged one stays so."
    )
    second.failure = "no answer"
    #expect(try await hooks.update(second, to: second) == false)
    #expect(try await hooks.latest(of: [a]) == [end])
    #expect(try await hooks.due(a, at: date + 999).isEmpty)
  }

  @Test(arguments: Engine.tested)
  func `are removed after a hundred comics, with reasons cut`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    for comic in 1...110 {
      try await store.hooks.schedule(for: [a], upTo: number(comic), atMost: 1, at: date)
      guard let due = try await store.hooks.due(a, at: date).first else { continue }
      var end = due
      (end.state, end.nextTry, end.failure) = (.failed, nil, String(repeating: "x", count: 900))
      try await store.hooks.update(due, to: end)
    }
    #expect(try await store.rowCount(of: "hook_delivery") == 101)
    #expect(try await store.hooks.latest(of: [a]).first??.failure?.count == 300)
  }
}
