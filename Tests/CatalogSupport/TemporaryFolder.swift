// Longbox
// SPDX-License-Identifier: MIT

package import Foundation

/// A folder that goes away with the test.
///
/// It doesn't exist until somebody makes it.
package final class TemporaryFolder: Sendable {
  /// Where it is.
  package let url: URL

  package init() {
    url = FileManager.default.temporaryDirectory.appending(path: "longbox-test-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A file or folder in it.
  package func path(_ name: String) -> URL { url.appending(path: name) }

  /// Writes a file in it, with the folders above.
  package func write(_ bytes: [UInt8], to name: String) throws {
    let file = path(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
  }

  /// A copy of it as it is now, which is what a kill -9 at this moment would leave.
  package func copy() throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    try self.copy(to: copy)
    return copy
  }

  /// Copies it to a folder that does not exist yet.
  package func copy(to other: TemporaryFolder) throws {
    try FileManager.default.copyItem(at: url, to: other.url)
  }
}
