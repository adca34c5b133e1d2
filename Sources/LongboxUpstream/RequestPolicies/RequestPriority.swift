// Longbox
// SPDX-License-Identifier: MIT

/// Whether a reader waits for a request to a source.
public enum RequestPriority: Sendable {
  /// A reader waits for a page.
  case reader
  /// The data is fetched in advance.
  case background

  /// The priority of the requests that the current task sends.
  @TaskLocal public static var current = RequestPriority.background
}
