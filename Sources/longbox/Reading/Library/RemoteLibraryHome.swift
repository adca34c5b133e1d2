// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxReaders

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
