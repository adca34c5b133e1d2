// Longbox
// SPDX-License-Identifier: MIT

protocol Controller: Sendable {
  var endpoints: [Endpoint] { get }

  /// How it rejects a method that an address does not have.
  var errorFormat: ErrorFormat { get }
}

extension Controller {
  var errorFormat: ErrorFormat { .statusOnly }
}

/// The format of status 405, for a method that an address doesn't have.
enum ErrorFormat: Sendable {
  /// The status and the headers.
  case statusOnly
  /// A ``Problem`` for programs.
  case problem
}
