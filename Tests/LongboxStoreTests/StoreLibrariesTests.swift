// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LongboxStore

@Suite struct `Stored libraries` {
  private let date = Date(timeIntervalSince1970: 1_800_000_000)
  private let a = LibraryName(key: [1])
  private let b = LibraryName(key: [2])
  private let c = LibraryName(key: [3])
  private let d = LibraryName(key: [4])

  @Test func `that were joined are one under both names`() async throws {
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    try await store.saveLibrary([1], as: a, at: date)
    try await store.saveLibrary([2], as: b, at: date)
    try await store.joinLibrary(a, to: b, content: [1, 2], at: date)
    #expect(try await store.home(of: a) == b)
    #expect(try await store.home(of: b) == b)
    #expect(try await store.library(a) == nil)
    #expect(try await store.library(b) == [1, 2])
    #expect(try await store.libraryCount() == 1)
  }

  @Test func `that were joined one after another lead to the last in one step`() async throws {
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    try await store.saveLibrary([1], as: a, at: date)
    try await store.joinLibrary(a, to: b, content: [1, 2], at: date)
    try await store.joinLibrary(b, to: c, content: [1, 2, 3], at: date)
    try await store.joinLibrary(d, to: c, content: [1, 2, 3], at: date)
    for name in [a, b, c, d] { #expect(try await store.home(of: name) == c) }
    #expect(try await store.library(c) == [1, 2, 3])
    #expect(try await store.libraryCount() == 1)
  }

  @Test func `are their own home, and so are those that are not there`() async throws {
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    try await store.saveLibrary([1], as: a, at: date)
    #expect(try await store.home(of: a) == a)
    #expect(try await store.home(of: b) == b)
    #expect(try await store.library(b) == nil)
  }
}
