// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Search on the reader's own device: the archive in memory, and an answer for each question.
///
/// It stands apart from the pages, since it is as large as they are and a reader who only reads does not need it.
struct Finder {
  /// What the host can ask of it.
  ///
  /// The numbers are those of `worker-device.js` and of `docs/device.md`.
  enum Operation: UInt8 {
    /// Opens a whole archive. Message: the segment.
    case open = 1
    /// Lays a delta over the archive. Message: the segment.
    case add = 2
    /// Searches. Message: a `SearchQuestion`; reply: `SearchResults`.
    case find = 3
    /// Takes an index of explanations, a whole one in the place of another. Message: the segment, whole or a delta.
    case explain = 4
  }

  private var archive: Archive?
  private var explanations: ExplanationIndex?
  /// Made when it is first needed, and anew for a new archive.
  private var search: Search?

  /// Does one thing.
  /// - Returns: nothing where it can't be done: the message is malformed, or no archive is open.
  mutating func perform(_ operation: Operation, _ message: [UInt8]) -> [UInt8]? {
    do throws(ArchiveError) {
      switch operation {
      case .open:
        search = nil
        archive = try Archive(Segment(message))
        return []
      case .add:
        guard let opened = archive else { return nil }
        search = nil
        archive = try opened.adding(Segment(message))
        return []
      case .find:
        guard let archive, let question = SearchQuestion(decoding: message) else { return nil }
        let search = search ?? Search(archive: archive, explanations: explanations)
        self.search = search
        return search.results(for: question).encoded()
      case .explain:
        let segment = try Segment(message)
        search = nil
        if segment.base == 0 {
          explanations = try ExplanationIndex(segment)
        } else {
          guard let opened = explanations else { return nil }
          explanations = try opened.adding(segment)
        }
        return []
      }
    } catch {
      return nil
    }
  }
}
