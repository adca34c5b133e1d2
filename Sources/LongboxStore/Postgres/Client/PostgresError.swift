// Longbox
// SPDX-License-Identifier: MIT

/// An error of PostgreSQL or of the connection to it.
struct PostgresError: Error, CustomStringConvertible {
  /// The causes that callers handle differently.
  enum Kind: Equatable {
    /// The connection failed or broke; no part of the transaction is stored.
    case connectionLost
    /// The connection broke during a commit, or during a statement that needs none; the change may have been stored.
    case outcomeUnknown
    /// The server accepts no connections now (it starts, stops, or has too many), or has been silent for too long.
    case unavailable
    /// A serialization failure or deadlock (40001, 40P01); a retry may succeed.
    case serializationFailure
    case constraintViolation
    /// The statement timeout or lock timeout of the server.
    case stopped
    /// A timeout of the client: the server, a free connection or another node's migration took too long.
    case timedOut
    case readOnly, diskFull, denied
    /// The tables have changed since the statement was prepared.
    case stalePlan
    /// A value has another type than expected, or is missing.
    case unexpectedValue
    /// The pool was closed.
    case closed
    case other
  }

  var kind: Kind
  let sqlState: String?
  let message: String

  init(_ kind: Kind, _ message: String, sqlState: String? = nil) {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
  }

  /// Interprets an SQLSTATE (https://www.postgresql.org/docs/15/errcodes-appendix.html).
  init(sqlState: String, message: String) {
    let kind: Kind =
      switch sqlState {
      case "40001", "40P01": .serializationFailure
      case "57014", "55P03": .stopped
      case "25006": .readOnly
      case "0A000" where message.contains("cached plan"), "26000": .stalePlan
      case "53100": .diskFull
      case "53300", "57P03": .unavailable
      case "57P01", "57P02", "25P03", "57P05": .connectionLost
      case "42501": .denied
      default:
        switch sqlState.prefix(2) {
        case "08": .connectionLost
        case "23": .constraintViolation
        case "28": .denied
        default: .other
        }
      }
    self.init(kind, message, sqlState: sqlState)
  }

  /// Whether a retry may succeed soon, and no part of the transaction was stored.
  var isRetryable: Bool {
    switch kind {
    case .serializationFailure, .connectionLost, .unavailable, .stalePlan: true
    default: false
    }
  }

  var description: String { message }
}

extension StoreError {
  /// Converts any error of a read or write of PostgreSQL.
  init(_ error: any Error, in place: StorePlace, _ address: PostgresAddress) {
    let database = "\(address)"
    if let error = error as? DamagedLibrary {
      self = .damaged(file: database, reason: error.reason)
      return
    }
    guard let error = error as? PostgresError else {
      self.init(error, in: place)
      return
    }
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
