// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite struct NoticeTests {
  private static let now: UInt64 = 1_800_000_000_000

  @Test func `comes back from the library as it was left, whatever it says`() throws {
    let comic = try #require(Comic.Number(70_000))
    let kinds: [Notice.Kind] = [
      .favoriteAdded(comic), .favoriteRemoved(comic), .noteSaved(comic), .favoritesRemoved(1),
      .favoritesRemoved(3000),
      .favoritesCleared, .readMarksCleared, .historyCleared, .markedRead(comic), .markedUnread(comic),
      .markedOlder(comic),
      .settingsSaved, .albumSaved, .albumsRemoved(1), .albumsRemoved(3), .undone,
    ]
    for kind in kinds {
      var replica = Replica(device: 1)
      Notice(kind, Undo()).leave(in: &replica, at: Self.now)
      #expect(Notice.pending(in: replica.library, at: Self.now)?.kind == kind)
      Notice.markShown(in: &replica, at: Self.now)
      #expect(Notice.pending(in: replica.library, at: Self.now) == nil)
      #expect(Notice.last(in: replica.library, at: Self.now)?.kind == kind)
    }
  }

  /// The difference of the device's clock from the server's, in milliseconds.
  @Test(arguments: [0, 3_600_000, -3_600_000] as [Int64])
  func `is shown for a minute, whatever the device's clock says`(skew: Int64) throws {
    var replica = Replica(device: 1)
    _ = replica.request(nonce: 1)
    let server = UInt64(Int64(Self.now) - skew)
    let reply = SyncReply(nonce: 1, time: server, outcome: .tooFarAhead(limit: server))
    _ = try replica.receive(reply, at: Self.now)
    #expect(replica.clock.offset == -skew)
    Notice(.favoritesCleared, Undo()).leave(in: &replica, at: Self.now)
    #expect(Notice.pending(in: replica.library, at: Self.now + 59_000) != nil)
    #expect(Notice.pending(in: replica.library, at: Self.now + 61_000) == nil)
  }

  @Test func `is shown by a node whose clock is slightly behind`() {
    var replica = Replica(device: 1)
    Notice(.favoritesCleared, Undo()).leave(in: &replica, at: Self.now)
    #expect(Notice.pending(in: replica.library, at: Self.now - 1000) != nil)
    #expect(Notice.pending(in: replica.library, at: Self.now - 61_000) == nil)
  }
}
