// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog

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
