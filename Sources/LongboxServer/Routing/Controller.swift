// Longbox
// SPDX-License-Identifier: MIT

/// Answers requests about one resource.
protocol Controller: Sendable {
  /// Everything that it answers.
  var endpoints: [Endpoint] { get }

  /// How it refuses a method that an address does not have.
  var errorFormat: ErrorFormat { get }
}

extension Controller {
  var errorFormat: ErrorFormat { .statusOnly }
}

/// How errors are sent that no controller sees.
enum ErrorFormat: Sendable {
  /// The status and the headers.
  case statusOnly
  /// A ``Problem`` for programs.
  case problem
}
