// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import HummingbirdTesting
import LongboxPages
import Synchronization
import Testing

@testable import LongboxServer

/// Renders pages like the server, and counts them.
private final class RenderCounter: Sendable {
  private let count = Mutex(0)

  var render: PageController.Render {
    { route, request, archive, library, loaded, context in
      self.count.withLock { $0 += 1 }
      return PageController.standardRender(route, request, archive, &library, loaded, context)
    }
  }

  /// Returns the count and resets it.
  func take() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}

/// `LongboxDeviceTests` has the same test for the device.
@Suite("The server renders each answer once", .timeLimit(.minutes(10))) struct RenderCountTests {
  private static let addresses = [
    "/", "/2/", "/4/", "/404/", "/02/", "/2", "/random", "/go?number=2", "/continue", "/comics",
    "/comics?view=list", "/2/?in=unread", "/2/?in=search-a", "/random?in=unread",
    "/favorites", "/search", "/search?q=bread&deep=1", "/search?q=is:album", "/2/explanation", "/settings",
    "/about", "/history",
    "/albums/saved", "/topics", "/topics/math", "/nothing",
  ]

  @Test func `for a reader without a library, and not at all if the page is cached`() async throws {
    let counter = RenderCounter()
    try await withServer(storing: 5...6, render: counter.render) { bench async throws in
      for address in Self.addresses {
        let cold = try await bench.get(address)
        #expect(counter.take() == 1, "\(address)")
        let warm = try await bench.get(address)
        let isKept =
          cold.status.kind != .redirection && cold.status != .serviceUnavailable
          && cold.headers[.cacheControl] == "no-cache" && address != "/2/explanation"
        #expect(counter.take() == (isKept ? 0 : 1), "\(address)")
        #expect(warm.status == cold.status, "\(address)")
      }
    }
  }

  @Test func `for a reader with a library, always`() async throws {
    let counter = RenderCounter()
    try await withServer(storing: 5...6, render: counter.render) { bench async throws in
      var browser = Browser(bench: bench)
      _ = try await browser.send("/favorites/set", "comic=5&on=yes&back=/favorites")
      #expect(counter.take() == 1)
      for address in Self.addresses + Self.addresses {
        _ = try await browser.get(address)
        #expect(counter.take() == 1, "\(address)")
      }
    }
  }

  @Test func `for a form, whether it is valid or not`() async throws {
    let counter = RenderCounter()
    try await withServer(render: counter.render) { bench async throws in
      var browser = Browser(bench: bench)
      for (address, form) in [
        ("/favorites/set", "comic=2&on=yes&back=/2/"), ("/favorites/set", "comic=404&on=yes"),
        ("/favorites/set", ""),
        ("/read/set", "comic=3&on=yes"), ("/settings/set", "appearance=dark"), ("/undo", "back=/favorites"),
      ] {
        _ = try await browser.send(address, form)
        #expect(counter.take() == 1, "\(address) \(form)")
      }
    }
  }
}
