// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCatalog
import LongboxPush
import LongboxServer
import LongboxStore
import LongboxUpstream

/// Runs a command and turns its errors into a sentence on stderr and an exit code.
///
/// 64: what was asked for is wrong (EX_USAGE). 66: there is nothing to read (EX_NOINPUT). 69: a source, or the place to listen at, can't be had (EX_UNAVAILABLE). 74: the disk
/// (EX_IOERR). 78: a setting (EX_CONFIG). 1: anything else. See sysexits(3).
func reportingErrors(_ command: () async throws -> Void) async throws {
  do {
    try await command()
  } catch let code as ExitCode {
    throw code
  } catch {
    let (code, sentence) = report(of: error)
    FileHandle.standardError.write(Data("longbox: \(sentence)\n".utf8))
    throw ExitCode(code)
  }
}

/// The exit code for an error, and the sentence for people.
private func report(of error: any Error) -> (code: Int32, sentence: String) {
  switch error {
  case is SettingsError, is SettingError: (78, "\(error)")
  case let error as ImportFolder.Problem: (66, "\(error)")
  case StoreError.nothingStored: (66, "\(error)")
  case is StoreError, CatalogError.store: (74, "\(error)")
  case is UpstreamError, CatalogError.upstream: (69, "\(error)")
  case is CatalogError: (64, "\(error)")
  case is VAPIDKeys.FileProblem: (74, "\(error)")
  case is ServerError: (69, "\(error)")
  default: (1, "\(error)")
  }
}
