// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxReaders
import LongboxStore

/// The reader's library on this terminal: a copy that syncs with the server's, as each device's does.
///
/// A change is stored in the terminal's copy first, and then sent. So nothing is lost while the server can't be reached.
struct TerminalLibrary: Sendable {
  let folder: LibraryFolder
  /// The server's copy; nil if there is none yet.
  let home: (any LibraryHome)?
  let now: @Sendable () -> UInt64

  /// Maximum number of exchanges in a row.
  private static let mostExchanges = 5

  /// The library as it was after the last command, without asking the server.
  func kept() throws -> Library { try folder.replica().library }

  /// The library with what other devices have changed.
  func current() async throws -> Library {
    try await folder.locked { () async throws -> Library in
      var replica = try folder.replica()
      try await sync(&replica)
      return replica.library
    }
  }

  /// Changes the library, here and on the server.
  /// - Parameters:
  ///   - step: the change.
  /// - Returns: what the step returns.
  @discardableResult
  func edit<Value: Sendable>(
    _ step: @Sendable (inout Replica) throws -> Value
  ) async throws -> Value {
    try await folder.locked { () async throws -> Value in
      var replica = try folder.replica()
      let isReached = try await sync(&replica)
      let value = try step(&replica)
      try folder.keep(replica)
      // A second try would fail in the same way.
      if isReached { try await sync(&replica) }
      return value
    }
  }

  /// Marks a comic as viewed; this is sent with the next change.
  func noteView(of number: Comic.Number) async throws {
    try await folder.locked { () async throws -> Void in
      var replica = try folder.replica()
      let before = replica.library.sequence
      let time = replica.editTime(at: now())
      try replica.library.notePlace(number, at: time)
      try replica.library.markViewed(number, at: time)
      if replica.library.sequence != before { try folder.keep(replica) }
    }
  }

  /// Exchanges changes with the server.
  ///
  /// If it can't be reached, this prints a remark, and the next command sends the changes.
  /// - Returns: whether the server has answered.
  @discardableResult
  private func sync(_ replica: inout Replica) async throws -> Bool {
    guard let home else { return true }
    let key = try folder.key()
    do {
      for _ in 0..<Self.mostExchanges {
        let request = replica.request(nonce: .random(in: 0...UInt64.max))
        let progress = try replica.receive(try await home.answer(request, for: key), at: now())
        if progress != .again { break }
      }
      try folder.keep(replica)
      return true
    } catch let error where error is StoreError || (error as? ReaderError)?.isTemporary == true {
      Console.remark("\(error) Your library is kept on this terminal and sent with the next command.")
      return false
    }
  }
}

extension ReaderError {
  /// Whether a later try may succeed.
  fileprivate var isTemporary: Bool {
    if case .unavailable = self { true } else { false }
  }
}
