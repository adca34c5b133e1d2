// Longbox
// SPDX-License-Identifier: MIT

/// The kind of a comic's picture.
public enum PictureKind: String, CaseIterable, Sendable {
  /// The picture that the source's record names.
  case standard
  /// The double-size picture (`_2x`).
  case doubleSize
  /// The larger version that the comic links to.
  case larger
  /// Longbox's small WebP for the overview.
  case thumbnail
}
