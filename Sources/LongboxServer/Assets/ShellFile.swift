// Longbox
// SPDX-License-Identifier: MIT

/// A file of the web application, as the build lists it and an installed app keeps it.
struct ShellFile: Codable, Equatable, Sendable {
  /// Its name below `/assets/`.
  var name: String
  /// A hash of its content, which its entity tag begins with: what has not changed need not be fetched again.
  var hash: String
}
