// Longbox
// SPDX-License-Identifier: MIT

/// The version of the rules by which a source's record becomes a ``Comic``.
///
/// An archive carries the version that its text went through. Raise it with each change of the rules: what is
/// stored is then decoded anew, from the raw records that are kept beside it.
public enum DecodingRules {
  /// The version in force.
  public static let version = 2
}
