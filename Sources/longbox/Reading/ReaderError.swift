// Longbox
// SPDX-License-Identifier: MIT

/// Why a reader's command failed.
///
/// Each description says what to do.
enum ReaderError: Error, Equatable {
  /// A wrong argument.
  case usage(String)
  /// There is no such comic, album or explanation here.
  case missing(String)
  /// A file or an answer that can't be used.
  case malformed(String)
  /// Another Longbox doesn't answer.
  case unavailable(String)
  /// Another Longbox wants a sign-in.
  case signIn(server: String)
  /// A file can't be read or written.
  case disk(String)

  /// An answer of another program, or of another version.
  static func foreignAnswer(of server: ServerAddress) -> ReaderError {
    .malformed("The answer from \(server) isn’t one that this Longbox understands. Check the address.")
  }

  /// The exit code, see sysexits(3).
  var code: Int32 {
    switch self {
    case .usage: 64
    case .malformed: 65
    case .missing: 66
    case .unavailable: 69
    case .disk: 74
    case .signIn: 77
    }
  }
}

extension ReaderError: CustomStringConvertible {
  var description: String {
    switch self {
    case .usage(let sentence), .missing(let sentence), .malformed(let sentence), .unavailable(let sentence),
      .disk(let sentence):
      sentence
    case .signIn(let server):
      "\(server) wants you to sign in: run “longbox pair --server \(server)” once."
    }
  }
}
