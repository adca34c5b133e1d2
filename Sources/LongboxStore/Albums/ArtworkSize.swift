// Longbox
// SPDX-License-Identifier: MIT

/// The size of a stored cover.
public enum ArtworkSize: String, CaseIterable, Sendable {
  /// For the album's page.
  case cover
  /// For lists.
  case small
}
