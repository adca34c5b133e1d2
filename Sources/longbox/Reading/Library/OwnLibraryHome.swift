// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxReaders
import LongboxStore

/// The copy on this machine: in the server that runs on the data folder, or in the folder itself.
struct OwnLibraryHome: LibraryHome {
  let location: StoreLocation
  let session: String?

  func answer(_ request: SyncRequest, for key: ReaderKey) async throws -> SyncReply {
    do {
      return try await StoredLibraryHome(location: location).answer(request, for: key)
    } catch StoreError.inUse(let folder, let holder) {
      guard var client = ServerClient(of: location.folder) else {
        throw ReaderError.unavailable("\(holder ?? "Another command of Longbox") uses \(folder) right now.")
      }
      client.keepSession(session)
      return try await RemoteLibraryHome(client: client).answer(request, for: key)
    }
  }
}
