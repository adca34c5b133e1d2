// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxReaders
import LongboxStore

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
