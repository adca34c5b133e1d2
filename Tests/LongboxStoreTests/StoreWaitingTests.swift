// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(5))) struct `Opening a folder that another process has open` {
  private let folder = TemporaryFolder()
  private let clock = PausedClock()

  @Test func `waits until it is free`() async throws {
    let store = try Store.open(folder.url)
    try await store.comics.save([record(1)])
    async let opened = Store.open(StoreLocation(folder.url), within: .seconds(5), clock: clock)
    var sleepers = clock.asleep.makeAsyncIterator()
    await sleepers.next()
    clock.wake()
    await sleepers.next()
    try await store.closeOnNewThread()
    clock.wake()
    #expect(try await opened.comics.count() == 1)
  }

  @Test func `fails after the timeout, and names the process that holds the folder`() async throws {
    let store = try Store.open(folder.url)
    for _ in 0..<3 { clock.wake() }
    var asked: [StoreError] = []
    await #expect(throws: inUse(folder.url)) {
      _ = try await Store.open(StoreLocation(folder.url), within: .milliseconds(300), clock: clock) { error in
        asked.append(error)
        return true
      }
    }
    #expect(asked == Array(repeating: inUse(folder.url), count: 3))
    withExtendedLifetime(store) {}
  }

  @Test func `fails at once if the caller chooses not to wait for that holder`() async throws {
    let store = try Store.open(folder.url)
    await #expect(throws: inUse(folder.url)) {
      _ = try await Store.open(StoreLocation(folder.url), within: .seconds(5), clock: clock) { _ in false }
    }
    withExtendedLifetime(store) {}
  }

  @Test func `names no process if the lock file can't be read as a holder`() async throws {
    let store = try Store.open(folder.url)
    for text in ["", "\n", "\u{1B}[2J\n", String(repeating: "ü", count: 200)] {
      try Data(text.utf8).write(to: folder.path("longbox.lock"))
      #expect(throws: StoreError.inUse(folder: folder.url.path)) { try Store.open(folder.url) }
    }
    withExtendedLifetime(store) {}
  }

  @Test func `ends when its task is cancelled`() async throws {
    let store = try Store.open(folder.url)
    let folder = folder.url
    let task = Task { _ = try await Store.open(StoreLocation(folder), within: .seconds(600)) }
    task.cancel()
    await #expect(throws: StoreError.cancelled) { try await task.value }
    withExtendedLifetime(store) {}
  }
}
