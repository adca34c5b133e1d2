// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore
import Synchronization

/// Whether xkcd answers, and how much of it is stored, for the pages that show it.
final class SourceStatus: Sendable {
  struct Status: Sendable {
    /// Since when xkcd has been down, or nil.
    var downSince: Date?
    /// Whether xkcd has answered since the start.
    var hasAnswered = false
    /// The progress of the background fill, if known.
    var progress: Catalog.FillProgress?
    /// Increases with each change.
    var changes = 0
  }

  private let status = Mutex(Status())

  var current: Status { status.withLock { $0 } }

  /// Notes that xkcd answers.
  func noteUp() {
    status.withLock { status in
      status.hasAnswered = true
      guard status.downSince != nil else { return }
      status.downSince = nil
      status.changes += 1
    }
  }

  /// Notes that xkcd does not answer; an outage under way keeps its beginning.
  func noteDown(since date: Date) {
    status.withLock { status in
      guard status.downSince == nil else { return }
      status.downSince = date
      status.changes += 1
    }
  }

  func note(_ progress: Catalog.FillProgress) {
    status.withLock { status in
      guard status.progress != progress else { return }
      status.progress = progress
      status.changes += 1
    }
  }
}
