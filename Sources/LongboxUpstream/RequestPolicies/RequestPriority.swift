// Longbox
// SPDX-License-Identifier: MIT

/// Who waits for a request to a source.
public enum RequestPriority: Sendable {
  /// A reader, in front of a page.
  case reader
  /// Nobody: the data is fetched in advance.
  case background

  /// The priority of the requests that the current task sends.
  @TaskLocal public static var current = RequestPriority.background
}
