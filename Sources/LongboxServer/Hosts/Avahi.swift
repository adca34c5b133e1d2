// Longbox
// SPDX-License-Identifier: MIT

import Foundation

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

  /// What publishing a name takes, with the packages that have it in Debian.
  private static let programs = [
    (program: "avahi-publish", package: "avahi-utils"), (program: "setpriv", package: "util-linux"),
  ]

  /// The program that is missing to publish a name, and the package that has it; nil if there are all.
  var missing: (program: String, package: String)? {
    Self.programs.first { path($0.program) == nil }
  }

  /// Whether a name could be published now.
  var canPublish: Bool { isRunning() && missing == nil }

  /// The command that gives a name to an address for as long as it runs; nil if a program is missing.
  ///
  /// The kernel ends it with the thread that started it (PR_SET_PDEATHSIG of prctl(2)), and so with this process, even if
  /// that is killed.
  func publishing(_ name: String, for address: String) -> [String]? {
    guard let setpriv = path("setpriv"), let publish = path("avahi-publish") else { return nil }
    // It waits for a daemon that starts again. The daemon itself names the machine of the address.
    return [setpriv, "--pdeathsig", "KILL", publish, "--no-fail", "--address", "--no-reverse", name, address]
  }
}
