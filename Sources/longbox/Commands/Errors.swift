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

/// Runs a command and turns its errors into a sentence on stderr and an exit code, see sysexits(3).
///
/// 64: a wrong argument (EX_USAGE). 65: a damaged backup, or none (EX_DATAERR). 66: nothing to read (EX_NOINPUT).
/// 69: a source, a server or the listening address is unavailable (EX_UNAVAILABLE). 73: the folder has files that Longbox
/// didn't write (EX_CANTCREAT). 74: a disk error (EX_IOERR). 75: another run hasn't finished (EX_TEMPFAIL). 77: another
/// Longbox requires signing in (EX_NOPERM). 78: a wrong setting (EX_CONFIG). 1: others.
func reportingErrors(_ command: () async throws -> Void) async throws {
  do {
    try await command()
  } catch let code as ExitCode {
    throw code
  } catch {
    let (code, sentence) = report(of: error)
    Console.remark(sentence)
    throw ExitCode(code)
  }
}

private func report(of error: any Error) -> (code: Int32, sentence: String) {
  switch error {
  case let error as ReaderError: (error.code, "\(error)")
  case is ImportError: (65, "\(error)")
  case is LibraryError: (65, "\(error)")
  case is SettingsError, is SettingError: (78, "\(error)")
  case let error as ImportFolder.Problem: (66, "\(error)")
  case StoreError.nothingStored: (66, "\(error)")
  case StoreError.unreachable, StoreError.missingLibrary: (69, "\(error)")
  case StoreError.notEmpty: (73, "\(error)")
  case is RestoreProblem, is MigrationProblem: (64, "\(error)")
  case StoreError.notABackup, StoreError.backupDamaged: (65, "\(error)")
  case is StoreError, CatalogError.store: (74, "\(error)")
  case is UpstreamError, CatalogError.upstream: (69, "\(error)")
  case is CatalogError: (64, "\(error)")
  case is VAPIDKeys.FileProblem: (74, "\(error)")
  case CopyProblem.nothingStored: (66, "\(error)")
  case CopyProblem.unreadableList: (65, "\(error)")
  case CopyProblem.foreignFile: (73, "\(error)")
  case CopyProblem.inUse: (75, "\(error)")
  case is CopyProblem: (74, "\(error)")
  case is ServerError: (69, "\(error)")
  case is AccessProblem: (64, "\(error)")
  case is TLSError: (74, "\(error)")
  case is PassphraseError: (64, "\(error)")
  default: (1, "\(error)")
  }
}
