// Longbox
// SPDX-License-Identifier: MIT

/// Which of a comic's pictures.
public enum PictureKind: String, CaseIterable, Sendable {
  /// The picture as the source's record names it.
  case standard
  /// The one of twice the resolution (`_2x`).
  case doubleSize
  /// The small WebP for the overview, of our own making.
  case thumbnail
}
