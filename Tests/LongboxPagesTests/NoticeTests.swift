// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite("A notice") struct NoticeTests {
  private static let now: UInt64 = 1_800_000_000_000

  @Test func `comes back from the library as it was left, whatever it says`() throws {
    let comic = try #require(Comic.Number(70_000))
    let kinds: [Notice.Kind] = [
      .favoriteAdded(comic), .favoriteRemoved(comic), .noteSaved(comic), .favoritesRemoved(1),
      .favoritesRemoved(3000),
      .favoritesCleared, .readMarksCleared, .markedRead(comic), .markedUnread(comic), .markedOlder(comic),
      .settingsSaved, .albumSaved, .albumRemoved, .undone,
    ]
    for kind in kinds {
      var replica = Replica(device: 1)
      try Notice(kind, Undo()).leave(in: &replica, at: Self.now)
      #expect(Notice.pending(in: replica.library, at: Self.now)?.kind == kind)
      Notice.markShown(in: &replica, at: Self.now)
      #expect(Notice.pending(in: replica.library, at: Self.now) == nil)
      #expect(Notice.last(in: replica.library, at: Self.now)?.kind == kind)
    }
  }

  @Test func `is shown for a minute`() throws {
    var replica = Replica(device: 1)
    try Notice(.favoritesCleared, Undo()).leave(in: &replica, at: Self.now)
    #expect(Notice.pending(in: replica.library, at: Self.now + 59_000) != nil)
    #expect(Notice.pending(in: replica.library, at: Self.now + 61_000) == nil)
  }
}
