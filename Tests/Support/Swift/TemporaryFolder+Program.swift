// Longbox
// SPDX-License-Identifier: MIT

package import Foundation

extension TemporaryFolder {
  /// Writes a program that stands in for another one: a shell script.
  ///
  /// Another process writes it: a program can't be started while a file descriptor for writing it is open, and processes
  /// that other tests start at the same time inherit such a descriptor of this one.
  package func write(program script: String, to name: String) async throws -> URL {
    let file = path(name)
    let command = "mkdir -p '\(url.path)' && cat >'\(file.path)' && chmod 700 '\(file.path)'"
    let end = try await Program.run("/bin/sh", "-c", command, input: Array("#!/bin/sh\n\(script)\n".utf8))
    guard end.code == 0 else { throw CocoaError(.fileWriteUnknown) }
    return file
  }
}
