// Longbox
// SPDX-License-Identifier: MIT

/// What an album is.
public enum AlbumKind: CaseIterable, Equatable, Sendable {
  /// A record of its own.
  case album
  /// A short one.
  case ep
  /// A song, perhaps with others beside it.
  case single
  /// Played before an audience.
  case live
  /// Put together of what was there before.
  case compilation
}
