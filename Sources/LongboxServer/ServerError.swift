// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// Why the server can't listen.
public struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sentence that says what to do.
  public let description: String

  init(_ error: IOError, _ settings: ServerSettings) {
    let place = "\(settings.host), port \(settings.port)"
    description =
      switch error.errnoCode {
      case EADDRINUSE:
        "\(place): another program listens there. Stop that one, or choose another port with --port."
      case EADDRNOTAVAIL: "\(place): this machine has no such address. Choose another with --host."
      case EACCES: "\(place): that is not allowed. Choose a port above 1023 with --port."
      default: "\(place): \(error)"
      }
  }
}
