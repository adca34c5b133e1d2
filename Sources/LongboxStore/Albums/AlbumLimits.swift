// Longbox
// SPDX-License-Identifier: MIT

/// How much is kept of what sources say about albums, besides their answers: the oldest leave, and are asked for again when
/// somebody wants them.
///
/// A public server's visitors could fill the disk otherwise. For the answers, see ``StoredAnswer/Kind``.
public struct AlbumLimits: Sendable {
  /// Pictures of covers; a large one has about 60 KB, a small one 10.
  public var covers = 10_000
  /// Where covers are: as many as the albums of all answers.
  public var addresses = 400_000
  /// Wikipedia's answers, 30 KB most often; those of which a reader picked the page stay.
  public var articles = 5_000

  /// Makes the usual limits.
  public init() {}
}
