// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxPages
import LongboxReaders
import LongboxStore

extension ServerPageRendering {
  /// Shows why a form's change was not stored, and notes it in the log.
  /// - Parameters:
  ///   - error: why.
  ///   - request: the request with the form.
  ///   - client: who sent it.
  ///   - floods: the log.
  /// - Throws: the error if it is neither `StoreError` nor `TooManyNew`.
  func showNotStored(
    _ error: any Error,
    to request: Hummingbird.Request,
    from client: ClientAddress,
    noting floods: FloodLog
  ) async throws -> Hummingbird.Response {
    let problem: StorageProblem
    let retryAfter: Int
    switch error {
    case let error as StoreError:
      floods.note(.notStored, error.description)
      problem = error.storageProblem
      retryAfter = error.retryAfter
    case let error as TooManyNew:
      floods.note(.newLibraries, "\(client)")
      problem = .tooManyNew
      retryAfter = error.retryAfter
    default: throw error
    }
    var response = try await show(.notStored(problem), to: request, as: nil)
    // A full disk has no time at which trying again makes sense.
    if response.status.code != 507 { response.headers[.retryAfter] = "\(retryAfter)" }
    return response
  }
}
