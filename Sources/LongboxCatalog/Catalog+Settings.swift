// Longbox
// SPDX-License-Identifier: MIT

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
}
