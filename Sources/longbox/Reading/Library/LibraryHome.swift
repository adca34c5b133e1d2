// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxReaders
import LongboxStore

/// The copy of the reader's library with which the terminal's copy syncs.
protocol LibraryHome: Sendable {
  /// Merges a device's changes, and returns what it lacks.
  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply
}

/// The copy in a data folder that no server uses.
///
/// The folder is open only during an exchange, so a server can't have an old copy in memory.
struct StoredLibraryHome: LibraryHome {
  let location: StoreLocation

  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply {
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

/// The copy of a running server.
struct RemoteLibraryHome: LibraryHome {
  var client: ServerClient

  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply {
    var client = client
    client.cookies["library"] = key.text
    let answer = try await client.post("/sync", request.encoded(), type: "application/octet-stream")
    guard answer.status == 200 else {
      let reason = String(decoding: answer.body.prefix(300), as: UTF8.self)
      throw ReaderError.unavailable(
        "\(client.server) doesn’t take your library (status \(answer.status)). \(reason)"
      )
    }
    do {
      return try SyncReply(decoding: answer.body)
    } catch {
      throw ReaderError.foreignAnswer(of: client.server)
    }
  }
}

/// The copy on this machine: in the server that runs on the data folder, or in the folder itself.
struct OwnLibraryHome: LibraryHome {
  let location: StoreLocation
  let session: String?

  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply {
    do {
      return try await StoredLibraryHome(location: location).answer(request, for: key)
    } catch StoreError.inUse(let folder, let holder) {
      guard let server = ServerAddress(of: location.folder) else {
        throw ReaderError.unavailable("\(holder ?? "Another command of Longbox") uses \(folder) right now.")
      }
      var client = ServerClient(server: server)
      client.keepSession(session)
      return try await RemoteLibraryHome(client: client).answer(request, for: key)
    }
  }
}

extension ServerClient {
  /// Sets the session's cookie.
  mutating func keepSession(_ secret: String?) {
    guard let secret else { return }
    cookies[sessionName] = secret
  }

  /// The name of the session's cookie, which tells whether the connection is encrypted.
  var sessionName: String {
    server.isSecure ? "__Host-longbox-session" : "longbox-session"
  }
}
