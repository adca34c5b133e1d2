// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

extension Catalog {
  /// The catalog's background work and memory.
  public struct Settings: Sendable {
    /// Whether to fetch all comics in the background, or only those that readers open.
    public var fills: Bool
    /// The most bytes of pictures in memory.
    public var pictureMemory: Int
    /// When to look for a new comic.
    public var schedule: PollSchedule
    /// How long a first start waits for xkcd.
    public var timeout: Duration

    /// Makes settings; the defaults suit a household.
    public init(
      fills: Bool = true,
      pictureMemory: Int = 24 << 20,
      schedule: PollSchedule = PollSchedule(),
      timeout: Duration = .milliseconds(1500)
    ) {
      self.fills = fills
      self.pictureMemory = pictureMemory
      self.schedule = schedule
      self.timeout = timeout
    }
  }

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
    public var progress: Progress?

    /// The number of xkcd's newest comic; nil if none is stored or samples are shown.
    public var newestComic: Comic.Number? { archive.isSampleBox ? nil : archive.latest?.number }
  }

  /// How many comics are stored.
  public struct Progress: Equatable, Sendable {
    /// The comics whose text is stored.
    public var texts: Int
    /// The comics whose picture is stored.
    public var pictures: Int
    /// The comics whose picture xkcd doesn't have.
    public var absentPictures = 0
    /// The comics whose explanation is stored.
    public var explanations = 0
    /// Failed downloads, to be tried again later.
    public var failures: Int
    /// All comics that exist.
    public var total: Int
  }

  /// One page of the list of changes.
  public struct Changes: Sendable {
    /// The archive that the comics come from.
    public var archive: Archive
    /// The comics in the order of their last change, each once.
    public var comics: [ArchivedComic]
    /// The position after them.
    public var place: ChangePlace
    /// Whether more changes follow.
    public var isMore: Bool
  }
}
