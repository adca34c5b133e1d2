// Longbox
// SPDX-License-Identifier: MIT

import LongboxStore
import Synchronization

/// The notes that are being written, by library.
///
/// A library whose notes take too long takes no more until they have ended, so that a slow disk makes no queue
/// in front of the reader's forms.
final class NotesInProgress: Sendable {
  private struct State {
    var counts: [LibraryName: Int] = [:]
    var late: Set<LibraryName> = []
  }

  private let state = Mutex(State())

  /// Begins a note.
  /// - Returns: false if the library's notes are late.
  func begin(_ name: LibraryName) -> Bool {
    state.withLock { state in
      guard !state.late.contains(name) else { return false }
      state.counts[name, default: 0] += 1
      return true
    }
  }

  /// Marks a library's notes as late, because a page has stopped waiting for one.
  func markLate(_ name: LibraryName) {
    state.withLock { state in
      if state.counts[name] != nil { state.late.insert(name) }
    }
  }

  func end(_ name: LibraryName) {
    state.withLock { state in
      guard let count = state.counts[name], count > 1 else {
        state.counts[name] = nil
        state.late.remove(name)
        return
      }
      state.counts[name] = count - 1
    }
  }
}
