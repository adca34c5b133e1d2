// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxReaders
import LongboxStore

/// The reader's library on this terminal: a replica that syncs with the server's, as each device's does.
///
/// A change is stored in the terminal's replica first, and then sent. So nothing is lost while the server can't be reached.
struct TerminalLibrary: Sendable {
  let folder: LibraryFolder
  /// The server's replica; nil if there is none yet.
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

/// The server's replica of the reader's library, with which the terminal's syncs.
protocol LibraryHome: Sendable {
  /// Merges a device's changes, and returns what it lacks.
  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply
}

/// The library on this machine: in the server that runs on the data folder, or in the folder itself.
struct OwnLibraryHome: LibraryHome {
  let location: StoreLocation
  let session: String?

  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply {
    do {
      return try await storedAnswer(request, for: key)
    } catch StoreError.inUse(let folder, let holder) {
      guard var client = ServerClient(of: location.folder) else {
        throw ReaderError.unavailable("\(holder ?? "Another command of Longbox") uses \(folder) right now.")
      }
      client.keepSession(session)
      return try await RemoteLibraryHome(client: client).answer(request, for: key)
    }
  }

  /// Answers from a data folder that no server uses.
  ///
  /// The folder is open only during an exchange, so a server can't have an old library in memory.
  private func storedAnswer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply {
    let store = try await DataFolder.open(location)
    let outcome: Result<SyncReply, any Error>
    do {
      let libraries = Libraries(store: store, now: { Date() })
      let time = Date().milliseconds
      let answer = try await libraries.edit(key.libraryName, makes: true, isSignedIn: true) { replica in
        let epoch = replica.clock.device
        return Result { () throws(LibraryError) in
          try replica.library.answer(request, epoch: epoch, at: time)
        }
      }
      guard let answer else {
        throw ReaderError.disk("The library can’t be made in \(location.folder.path).")
      }
      outcome = .success(try answer.get())
    } catch {
      outcome = .failure(error)
    }
    try? await store.closeOnNewThread()
    return try outcome.get()
  }
}

/// The library of a running server.
struct RemoteLibraryHome: LibraryHome {
  var client: ServerClient

  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply {
    var client = client
    client.cookies[client.libraryName] = key.text
    let answer = try await client.post("/sync", request.encoded(), type: "application/octet-stream")
    guard answer.status == 200 else {
      throw ReaderError.unavailable(
        "\(client.server) couldn’t sync your library (status \(answer.status)). \(Self.reason(answer.body))"
      )
    }
    do {
      return try SyncReply(decoding: answer.body)
    } catch {
      throw ReaderError.foreignAnswer(of: client.server)
    }
  }

  /// The server's sentence about an error; empty if there is none.
  private static func reason(_ body: [UInt8]) -> String {
    struct Failure: Decodable {
      struct Details: Decodable { var message: String }
      var error: Details
    }
    let failure = try? JSONDecoder().decode(Failure.self, from: Data(body))
    return String(failure?.error.message.prefix(300) ?? "")
  }
}
