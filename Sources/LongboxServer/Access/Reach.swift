// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders

/// How this server can be reached, and by whom.
struct Reach: Sendable {
  /// Decides who may come in.
  var gate = AccessGate()
  /// The certificates; nil without HTTPS of our own.
  var certificates: Certificates?
  /// The names and addresses under which other devices reach this machine, the best first.
  var hosts: @Sendable () -> [String] = { [] }

  /// Who signs in; nil if nobody does.
  var access: AccessControl? { gate.access }
}
