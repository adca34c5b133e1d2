// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// Why the server can't listen.
public struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sentence that says what to do.
  public let description: String

  /// The server would listen on a network without a passphrase.
  static let noPassphrase = ServerError(
    description:
      "Longbox doesn’t listen beyond this machine without a passphrase: everybody in the network could read and "
      + "change your library. Run “longbox setup” to set one, or say --open if that is what you want."
  )

  private init(description: String) {
    self.description = description
  }

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
