// Longbox
// SPDX-License-Identifier: MIT

/// The version of the rules that convert a source's record to a ``Comic``.
///
/// An archive stores the version that produced its text. Raise the version whenever a rule changes: stored
/// text is then decoded again from the raw records.
public enum DecodingRules {
  /// The current version.
  public static let version = 6
}
