// Longbox
// SPDX-License-Identifier: MIT

/// In which size a cover is stored.
public enum ArtworkSize: String, CaseIterable, Sendable {
  /// For the album's page.
  case cover
  /// For lists.
  case small
}
