// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxReaders

/// The copy of the reader's library with which the terminal's copy syncs.
protocol LibraryHome: Sendable {
  /// Merges a device's changes, and returns what it lacks.
  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply
}
