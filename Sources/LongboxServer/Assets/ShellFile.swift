// Longbox
// SPDX-License-Identifier: MIT

/// A file of the web application, as the build lists it and the installed app stores it.
struct ShellFile: Codable, Equatable, Sendable {
  /// The name below `/assets/`.
  var name: String
  /// A hash of the content.
  ///
  /// The entity tag starts with it, so an unchanged file is not downloaded again.
  var hash: String
}
