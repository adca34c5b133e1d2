// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPush
import LongboxReaders
import LongboxServer
import LongboxStore
import LongboxUpstream

/// Runs a command and turns its errors into a sentence on stderr and an exit code.
func reportingErrors(_ command: () async throws -> Void) async throws {
  do {
    try await command()
  } catch let code as ExitCode {
    throw code
  } catch {
    Console.remark("\(error)")
    throw ExitCode(for: error)
  }
}

extension ExitCode {
  /// The exit code for an error, see sysexits(3).
  ///
  /// 64: a wrong argument (EX_USAGE). 65: a damaged backup, or none (EX_DATAERR). 66: nothing to read (EX_NOINPUT).
  /// 69: a source, a server or the listening address is unavailable (EX_UNAVAILABLE). 73: the folder has files that Longbox
  /// didn't write (EX_CANTCREAT). 74: a disk error (EX_IOERR). 75: another run uses the files (EX_TEMPFAIL). 77: another
  /// Longbox requires signing in (EX_NOPERM). 78: a wrong setting (EX_CONFIG). 1: others.
  init(for error: any Error) {
    let code: Int32 =
      switch error {
      case let error as ReaderError: error.code
      case is ImportError, is LibraryError: 65
      case is SettingsError, is SettingError: 78
      case is ImportFolder.Problem, StoreError.nothingStored: 66
      case StoreError.unreachable, StoreError.missingLibrary: 69
      case StoreError.notEmpty: 73
      case is RestoreProblem, is MigrationProblem: 64
      case StoreError.notABackup, StoreError.backupDamaged: 65
      case StoreError.inUse, StoreError.locked, CatalogError.store(.inUse), CatalogError.store(.locked): 75
      case is StoreError, CatalogError.store: 74
      case is UpstreamError, CatalogError.upstream: 69
      case CatalogError.absent, CatalogError.invalid: 64
      case is VAPIDKeys.FileProblem: 74
      case StaticCopyProblem.nothingStored: 66
      case StaticCopyProblem.unreadableList: 65
      case StaticCopyProblem.foreignFile: 73
      case StaticCopyProblem.inUse: 75
      case is StaticCopyProblem: 74
      case is ServerError: 69
      case is AccessProblem: 64
      case is TLSError: 74
      case is PassphraseError: 64
      default: 1
      }
    self.init(code)
  }
}

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
