// Longbox
// SPDX-License-Identifier: MIT

/// The kind of album.
public enum AlbumKind: CaseIterable, Equatable, Sendable {
  /// A studio album.
  case album
  /// An EP.
  case ep
  /// A single, possibly with further tracks.
  case single
  /// A live recording.
  case live
  /// A compilation of earlier recordings.
  case compilation
}
