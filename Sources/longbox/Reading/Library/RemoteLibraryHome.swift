// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxReaders

/// The copy of a running server.
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
