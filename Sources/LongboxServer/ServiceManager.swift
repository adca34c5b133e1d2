// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
import NIOCore
import ServiceLifecycle

/// The service manager that started this program: systemd, or another with the protocol of sd_notify(3).
///
/// Each message is one datagram to a Unix socket. Sending never waits; a message that can't be sent is logged.
public struct ServiceManager: Sendable {
  /// The watchdog's timeout: without a message for so long, the manager restarts the program; nil if there is none.
  let watchdogTime: Duration?
  private let socket: [UInt8]
  private let logger: Logger

  /// Finds the manager by the variables `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`; nil if there is none.
  /// - Parameters:
  ///   - environment: the environment variables.
  ///   - process: this process.
  ///   - logger: logs what can't be sent.
  public init?(
    environment: [String: String],
    process: Int32 = ProcessInfo.processInfo.processIdentifier,
    logger: Logger
  ) {
    guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@") else {
      return nil
    }
    self.socket = Array(socket.utf8)
    self.logger = logger
    let watched = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil }
    watchdogTime = watched ? microseconds.map { .microseconds($0) } : nil
  }

  /// Notifies the manager that the server listens.
  func notifyReady(at address: String) { send("READY=1\nSTATUS=Longbox is at \(address)") }

  /// Notifies the manager of a new address.
  func notifyMoved(to address: String) { send("STATUS=Longbox is at \(address)") }

  /// Notifies the manager that the server is stopping.
  func notifyStopping() { send("STOPPING=1") }

  /// Resets the watchdog.
  func notifyAnswering() { send("WATCHDOG=1") }

  private func send(_ state: String) {
    var address = sockaddr_un()
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    // A path ends with a zero byte. An abstract name, written with "@", begins with a zero byte instead.
    guard socket.count < capacity else { return fail(state, ENAMETOOLONG) }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: socket)
      if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    }
    let length = MemoryLayout<sockaddr_un>.size - capacity + socket.count
    let descriptor = Foundation.socket(AF_UNIX, Self.datagrams, 0)
    guard descriptor >= 0 else { return fail(state, errno) }
    defer { close(descriptor) }
    let sent = withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, state, state.utf8.count, Self.flags, $0, socklen_t(length))
      }
    }
    if sent < 0 { fail(state, errno) }
  }

  private func fail(_ state: String, _ number: Int32) {
    logger.warning(
      "The service manager can’t be notified.",
      metadata: ["state": "\(state)", "error": "\(String(cString: strerror(number)))"]
    )
  }

  #if canImport(Glibc)
  private static let datagrams = CInt(SOCK_DGRAM.rawValue)
  private static let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
  #else
  private static let datagrams = SOCK_DGRAM
  private static let flags = MSG_DONTWAIT
  #endif
}

/// Resets the service manager's watchdog regularly, as long as the server can answer.
///
/// A request needs Swift's cooperative threads and an event loop. So this task runs on a cooperative thread, and waits for
/// each event loop before it sends. It doesn't test with a connection: a server with too many clients refuses it, but
/// doesn't hang.
struct Watchdog: Service {
  let manager: ServiceManager
  /// The time between two messages.
  let interval: Duration
  let loops: any EventLoopGroup
  let clock: any Clock<Duration>

  /// Creates it; nil if the manager doesn't watch.
  init?(_ manager: ServiceManager?, loops: any EventLoopGroup, clock: any Clock<Duration>) {
    guard let manager, let time = manager.watchdogTime else { return nil }
    self.manager = manager
    self.loops = loops
    self.clock = clock
    interval = time / 2
  }

  func run() async throws {
    while !Task.isShuttingDownGracefully {
      for loop in loops.makeIterator() { try await loop.submit {}.get() }
      manager.notifyAnswering()
      try? await cancelWhenGracefulShutdown { try await clock.sleep(for: interval) }
      guard !Task.isCancelled else { return }
    }
  }
}

/// Tells the service manager that the server stops.
///
/// It must be the last of the services, because they stop in reverse order.
struct StopNotice: Service {
  let manager: ServiceManager

  func run() async throws {
    try? await gracefulShutdown()
    if Task.isShuttingDownGracefully { manager.notifyStopping() }
  }
}
