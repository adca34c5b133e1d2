// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import LongboxReaders
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import LongboxServer

@Suite("The watch for a passphrase", .timeLimit(.minutes(5))) struct PassphraseWatchTests {
  /// How often the server was started again.
  private final class Restarts: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
  }

  @Test func `starts the server again once, and lasts until that shuts down`() async throws {
    try await withCatalog(FakeXkcd(latest: 1)) { back in
      let restarts = Restarts()
      let watch = PassphraseWatch(store: back.store, interval: .milliseconds(1), logger: .silent) {
        restarts.add()
      }
      // A service that ends earlier ends its group with an error.
      let group = ServiceGroup(configuration: .init(services: [watch], logger: .silent))
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        #expect(restarts.count == 0)
        let access = AccessControl(store: back.store, logger: .silent)
        try await access.setPassphrase("four words of a test")
        await eventually { restarts.count == 1 }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(restarts.count == 1)
    }
  }
}
