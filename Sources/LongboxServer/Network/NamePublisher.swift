// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import ServiceLifecycle
import Synchronization

/// Publishes the name `longbox.local` in the network, if Avahi runs here.
///
/// A program of Avahi runs as long as the name is published, and a separate thread reads its output. If another machine
/// has the name, that machine keeps it.
final class NamePublisher: Service {
  static let name = "longbox.local"
  /// How often the program may end by itself before this stops trying.
  private static let failureLimit = 3

  private struct State {
    /// The address for which the name is published, or would be.
    var address: String?
    /// The number of the latest attempt.
    var attempt = 0
    var isUnderWay = false
    var isEstablished = false
    /// The program; nil until it is started.
    var child: ChildProcess?
    var failures = 0
    var hasSaidMissing = false

    mutating func end() {
      child?.kill()
      child = nil
      (isUnderWay, isEstablished) = (false, false)
    }
  }

  private let avahi: Avahi
  private let address: @Sendable () -> String?
  private let logger: Logger
  private let state = Mutex(State())

  /// Creates a publisher; `run` starts it.
  /// - Parameters:
  ///   - avahi: publishes the name.
  ///   - address: the address that other devices reach; nil if there is none.
  ///   - logger: logs whether the name is published.
  init(_ avahi: Avahi = Avahi(), address: @escaping @Sendable () -> String?, logger: Logger) {
    self.avahi = avahi
    self.address = address
    self.logger = logger
  }

  /// The name, if it can be published; nil without Avahi, after repeated failures, or if another machine has it.
  var claimed: String? {
    avahi.canPublish && state.withLock { $0.failures < Self.failureLimit } ? Self.name : nil
  }

  /// The name while other devices can find it.
  var established: String? { state.withLock { $0.isEstablished } ? Self.name : nil }

  /// Checks every 30 seconds whether the address has changed.
  func run() async throws {
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      update()
      do { try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(30)) } } catch { break }
    }
    state.withLock { $0.end() }
  }

  /// Starts or stops publishing the name, if the address or Avahi's state has changed.
  func update() {
    let isRunning = avahi.isRunning()
    if isRunning, let missing = avahi.missing { sayMissing(missing.program, missing.package) }
    let address = isRunning ? address() : nil
    let words = address.flatMap { avahi.publishing(Self.name, for: $0) }
    let attempt: Int? = state.withLock { state in
      if words == nil || address != state.address {
        state.end()
        state.failures = 0
        state.address = words == nil ? nil : address
      }
      guard words != nil, !state.isUnderWay, state.failures < Self.failureLimit else { return nil }
      state.isUnderWay = true
      state.attempt += 1
      return state.attempt
    }
    guard let words, let attempt else { return }
    Thread.detachNewThread { [self] in publish(words, attempt) }
  }

  private func sayMissing(_ program: String, _ package: String) {
    let hasSaid = state.withLock { state in
      defer { state.hasSaidMissing = true }
      return state.hasSaidMissing
    }
    guard !hasSaid else { return }
    logger.notice(
      "\(Self.name) isn’t published, since the program \(program) is missing; Debian has it in the package \(package)."
    )
  }

  /// Runs the program to its end.
  private func publish(_ words: [String], _ attempt: Int) {
    let child: ChildProcess
    do throws(ChildProcess.Fault) {
      child = try ChildProcess(avahi: words)
    } catch {
      return note(failure: "can’t be started", after: "", attempt)
    }
    guard adopt(child, attempt) else { return }
    let never = ContinuousClock.now + .seconds(1_000_000_000)
    var last = ""
    while let line = child.receiveLine(before: never) {
      note(line, attempt)
      last = line
    }
    note(failure: "\(child.end())", after: last, attempt)
  }

  /// Stores the program that an attempt has started, so that it can be ended later.
  /// - Returns: false if the attempt is over; then the program isn't stored, and ends.
  private func adopt(_ child: ChildProcess, _ attempt: Int) -> Bool {
    state.withLock { state in
      guard state.attempt == attempt, state.isUnderWay else { return false }
      state.child = child
      return true
    }
  }

  private func note(_ line: String, _ attempt: Int) {
    enum Message { case established(String), taken }
    let message: Message? = state.withLock { state in
      guard state.attempt == attempt, state.isUnderWay else { return nil }
      if line.hasPrefix("Established under name '\(Self.name)'") {
        state.isEstablished = true
        return .established(state.address ?? "")
      }
      if line.hasPrefix("Name collision") {
        // The program would publish a name such as longbox-2.local, which another machine may take later.
        state.end()
        state.failures = Self.failureLimit
        return .taken
      }
      if line.hasPrefix("Disconnected") { state.isEstablished = false }
      return nil
    }
    switch message {
    case .established(let address):
      logger.notice("Other devices find Longbox as \(Self.name), too.", metadata: ["address": "\(address)"])
    case .taken:
      logger.warning("Another machine in the network is \(Self.name). Longbox keeps its other names.")
    case nil: break
    }
  }

  private func note(failure: String, after line: String, _ attempt: Int) {
    let isLast = state.withLock { state in
      guard state.attempt == attempt, state.isUnderWay else { return false }
      state.end()
      state.failures += 1
      return state.failures == Self.failureLimit
    }
    guard isLast else { return }
    logger.warning(
      "\(Self.name) isn’t published, since avahi-publish \(failure). Longbox keeps its other names.",
      metadata: ["said": "\(line)"]
    )
  }

}

/// Avahi on this machine, which answers devices that ask for a name ending in `.local` (RFC 6762).
struct Avahi: Sendable {
  /// Whether its daemon runs.
  var isRunning: @Sendable () -> Bool = {
    FileManager.default.fileExists(atPath: "/run/avahi-daemon/socket")
  }
  /// The path of a program; nil if it isn't installed.
  var path: @Sendable (_ program: String) -> String? = { program in
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The programs that publish a name, with Debian's packages.
  private static let programs = [
    (program: "avahi-publish", package: "avahi-utils"), (program: "setpriv", package: "util-linux"),
  ]

  /// The first of them that is missing, with its package; nil if all are installed.
  var missing: (program: String, package: String)? {
    Self.programs.first { path($0.program) == nil }
  }

  /// Whether a name could be published now.
  var canPublish: Bool { isRunning() && missing == nil }

  /// The command that gives a name to an address as long as it runs; nil if a program is missing.
  ///
  /// The kernel kills it when the thread that started it ends (PR_SET_PDEATHSIG of prctl(2)), so it never outlives this
  /// process.
  func publishing(_ name: String, for address: String) -> [String]? {
    guard let setpriv = path("setpriv"), let publish = path("avahi-publish") else { return nil }
    // `--no-fail`: it waits for a daemon that restarts. `--no-reverse`: the daemon already names the address.
    return [setpriv, "--pdeathsig", "KILL", publish, "--no-fail", "--address", "--no-reverse", name, address]
  }

  /// Asks the network for the IPv4 address of a name; nil if no machine answers in time.
  ///
  /// It blocks, so don't call it on the cooperative pool.
  func address(of name: String, within limit: Duration) -> String? {
    guard isRunning(), let resolve = path("avahi-resolve"),
      let child = try? ChildProcess(avahi: [resolve, "-4", "--name", name])
    else { return nil }
    defer { child.end() }
    // It prints the name, a tab and the address, or an error.
    let line = child.receiveLine(before: .now + limit)
    return line?.split(separator: "\t").dropFirst().first.map { String($0) }
  }
}

extension ChildProcess {
  /// Starts a program of Avahi, with messages in English.
  /// - Parameter command: its path and its arguments.
  convenience init(avahi command: [String]) throws(Fault) {
    let environment = ProcessInfo.processInfo.environment.filter { $0.key == "DBUS_SYSTEM_BUS_ADDRESS" }
    try self.init(
      command[0],
      Array(command.dropFirst()),
      environment: environment.merging(["LC_ALL": "C"]) { $1 },
      sendsErrors: true
    )
  }

  /// The next line of the program's output, cut to 300 bytes; nil at its end, or at the deadline.
  func receiveLine(before deadline: ContinuousClock.Instant) -> String? {
    var bytes: [UInt8] = []
    while let byte = try? receive(1, before: deadline).first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count < 300 { bytes.append(byte) }
    }
    return nil
  }
}
