// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog

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
