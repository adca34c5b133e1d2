// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

extension Catalog {
  /// What readers see at one point in time.
  public struct Snapshot: Sendable {
    /// All comics' text.
    public var archive: Archive
    /// The index of their explanations.
    public var explanationIndex: ExplanationIndex
    /// The search over both.
    public var search: Search
    /// Increases when anything in the snapshot changes.
    public var generation: Int
    /// Since when xkcd has been down, or nil.
    public var downSince: Date?
    /// Whether xkcd has answered since the start.
    public var hasAnswered: Bool
    /// The progress of the background fill, if known.
    public var progress: FillProgress?

    /// The number of xkcd's newest comic; nil if none is stored or samples are shown.
    public var newestComic: Comic.Number? { archive.isSampleBox ? nil : archive.latest?.number }
  }
}
