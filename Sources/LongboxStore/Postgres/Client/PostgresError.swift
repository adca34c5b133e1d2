// Longbox
// SPDX-License-Identifier: MIT

/// An error of PostgreSQL or of the connection to it.
struct PostgresError: Error, CustomStringConvertible {
  /// What a caller needs to tell apart.
  enum Kind: Equatable {
    /// There is no connection, or it broke; nothing of the transaction is stored.
    case connectionLost
    /// The connection broke during the commit, which may have been stored or not.
    case outcomeUnknown
    /// The server accepts no connection: it starts, stops, or has too many.
    case unavailable
    /// Another transaction was in the way (40001, 40P01); the same again may work.
    case conflict
    case uniqueViolation, constraintViolation
    /// The server stopped the statement at its time limit, or at that for locks.
    case stopped
    /// The client's own limit was reached; the connection was given up.
    case timedOut
    case readOnly, diskFull, denied
    /// The plan of a prepared statement doesn't fit the tables any more.
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
      case "40001", "40P01": .conflict
      case "23505": .uniqueViolation
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

  /// Whether the same transaction may work soon, and nothing of it was stored.
  var isWorthAnotherTry: Bool {
    switch kind {
    case .conflict, .connectionLost, .unavailable, .stalePlan: true
    default: false
    }
  }

  var description: String { message }
}
