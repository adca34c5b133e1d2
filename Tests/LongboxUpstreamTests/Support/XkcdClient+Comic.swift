// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxUpstream

extension XkcdClient {
  /// The record of a comic, of which none is stored.
  func comic(numbered number: Comic.Number) async throws -> XkcdRecord {
    guard case .fresh(let record, _) = try await comic(numbered: number, validator: nil) else {
      throw UpstreamError.malformed(.xkcd, at: "an unchanged record")
    }
    return record
  }
}
