// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

@Suite struct `A choice of an album's article` {
  private func album(_ value: UInt64) throws -> StoreID { try #require(StoreID(value)) }

  @Test func `is kept for its album, and can be undone and removed`() throws {
    var replica = Replica(device: 1)
    let pick = try #require(ArticlePick(language: "en", page: 4512))
    try replica.edit(at: 1) { try $0.pickArticle(pick, for: album(7), at: $1) }
    #expect(try replica.library.articlePick(for: album(7)) == pick)
    #expect(try replica.library.articlePick(for: album(8)) == nil)
    let none = ArticlePick(language: "en", page: 0)
    let undo = try replica.library.pickArticle(none, for: album(7), at: replica.editTime(at: 2))
    #expect(try replica.library.articlePick(for: album(7))?.page == 0)
    try replica.library.apply(undo, at: replica.editTime(at: 3))
    #expect(try replica.library.articlePick(for: album(7)) == pick)
    try replica.edit(at: 4) { try $0.pickArticle(nil, for: album(7), at: $1) }
    #expect(try replica.library.articlePick(for: album(7)) == nil)
  }

  @Test func `of the later device counts after a merge`() throws {
    var (phone, desk) = (Replica(device: 1), Replica(device: 2))
    try phone.edit(at: 10) { try $0.pickArticle(ArticlePick(language: "en", page: 3), for: album(7), at: $1) }
    try desk.edit(at: 20) { try $0.pickArticle(ArticlePick(language: "en", page: 4), for: album(7), at: $1) }
    let before = (phone.library, desk.library)
    try phone.library.merge(before.1)
    try desk.library.merge(before.0)
    #expect(try phone.library.articlePick(for: album(7))?.page == 4)
    #expect(try desk.library.articlePick(for: album(7))?.page == 4)
  }

  @Test(arguments: ["", "en", "en/", "/4", "en/x", "en/4/5", "e n/4", "en/9999999999", "en/-1"] as [Text])
  func `of an unknown format counts as none`(value: Text) throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 1) { try $0.save(value, kind: "article", name: "7", at: $1) }
    #expect(try replica.library.articlePick(for: album(7)) == nil)
  }
}
