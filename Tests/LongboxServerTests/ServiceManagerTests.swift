// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Dispatch
import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import TestSupport

@testable import LongboxServer

@Suite("The service manager", .timeLimit(.minutes(5))) struct ServiceManagerTests {
  private let folder = TemporaryFolder()

  /// A socket in the file system, which has a folder of its own.
  private func socket() throws -> NotifySocket {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    return try NotifySocket(folder.path("notify").path)
  }

  private func manager(of socket: NotifySocket, watchdog: String? = nil) throws -> ServiceManager {
    var environment = ["NOTIFY_SOCKET": socket.name]
    environment["WATCHDOG_USEC"] = watchdog
    return try #require(ServiceManager(environment: environment, logger: .silent))
  }

  @Test func `gets messages by a file or by a name`() async throws {
    var names = [try socket()]
    #if os(Linux)
    names.append(try NotifySocket("@longbox-test-\(UUID().uuidString)"))
    #endif
    for socket in names {
      let manager = try manager(of: socket)
      manager.notifyReady(at: "http://127.0.0.1:8353")
      #expect(await socket.next() == "READY=1\nSTATUS=Longbox is at http://127.0.0.1:8353")
      manager.notifyMoved(to: "https://192.0.2.7:8353")
      #expect(await socket.next() == "STATUS=Longbox is at https://192.0.2.7:8353")
      manager.notifyStopping()
      #expect(await socket.next() == "STOPPING=1")
    }
  }

  @Test(
    arguments: [
      ([:], false, nil), (["NOTIFY_SOCKET": ""], false, nil), (["NOTIFY_SOCKET": "vsock:2:9"], false, nil),
      (["NOTIFY_SOCKET": "/x"], true, nil), (["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "30000000"], true, 30),
      (["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "7"], true, 2),
      (["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "8"], true, nil),
      (["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "0"], true, nil),
      (["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "soon"], true, nil),
    ] as [([String: String], Bool, Int64?)]
  )
  func `is found by its variables`(variables: [String: String], isFound: Bool, seconds: Int64?) {
    let manager = ServiceManager(environment: variables, process: 7, logger: .silent)
    #expect((manager != nil) == isFound)
    #expect(manager?.watchdogTime == seconds.map { .seconds($0) })
  }

  @Test(arguments: ["/nowhere/notify", "/" + String(repeating: "a", count: 200)])
  func `is no reason to fail when it is gone`(name: String) throws {
    let recorder = LogRecorder()
    let manager = try #require(
      ServiceManager(environment: ["NOTIFY_SOCKET": name], logger: recorder.logger)
    )
    manager.notifyStopping()
    #expect(recorder.lines.map(\.text) == ["The service manager can’t be notified."])
  }

  @Test func `hears from a server whose event loops work, at half of the time`() async throws {
    let socket = try socket()
    let manager = try manager(of: socket, watchdog: "3000000")
    let (loops, clock) = (MultiThreadedEventLoopGroup(numberOfThreads: 2), PausedClock())
    let hanging = DispatchSemaphore(value: 0)
    loops.next().execute { hanging.wait() }
    let watchdog = try #require(Watchdog(manager, loops: loops, clock: clock))
    #expect(watchdog.interval == .seconds(1.5))
    let service = Task { try await watchdog.run() }
    manager.notifyMoved(to: "here")
    #expect(await socket.next() == "STATUS=Longbox is at here")
    hanging.signal()
    #expect(await socket.next() == "WATCHDOG=1")
    for await _ in clock.asleep { break }
    manager.notifyMoved(to: "there")
    #expect(await socket.next() == "STATUS=Longbox is at there")
    clock.wake()
    #expect(await socket.next() == "WATCHDOG=1")
    service.cancel()
    try await service.value
    try await loops.shutdownGracefully()
  }

  @Test func `gets no message if it doesn't watch`() throws {
    let manager = try manager(of: try socket())
    #expect(Watchdog(manager, loops: MultiThreadedEventLoopGroup.singleton, clock: PausedClock()) == nil)
    #expect(Watchdog(nil, loops: MultiThreadedEventLoopGroup.singleton, clock: PausedClock()) == nil)
  }
}
