// Longbox
// SPDX-License-Identifier: MIT

extension StoreError {
  /// Converts any error of a read or write of PostgreSQL.
  init(_ error: any Error, in place: StorePlace, _ address: PostgresAddress) {
    guard let error = error as? PostgresError else {
      self.init(error, in: place)
      return
    }
    let database = "\(address)"
    self =
      switch error.kind {
      case .connectionLost, .outcomeUnknown, .unavailable, .timedOut, .denied, .readOnly:
        .unreachable(database: database, reason: error.message)
      case .serializationFailure, .stopped: .locked(file: database)
      case .diskFull: .diskFull(folder: database)
      case .unexpectedValue: .damaged(file: database, reason: error.message)
      case .constraintViolation, .stalePlan, .closed, .other:
        .failed(file: database, reason: error.message)
      }
  }
}
