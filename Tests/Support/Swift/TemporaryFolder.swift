// Longbox
// SPDX-License-Identifier: MIT

package import Foundation

/// A folder that is deleted after the test; the test creates it when it writes.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() {
    url = FileManager.default.temporaryDirectory.appending(path: "longbox-test-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The URL of a file or folder in it.
  package func path(_ name: String) -> URL { url.appending(path: name) }

  /// Writes a file, creating the folders above it.
  package func write(_ bytes: [UInt8], to name: String) throws {
    let file = path(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
  }

  /// Copies the folder in its current state, which is what a kill -9 would leave now.
  package func copy() throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    try self.copy(to: copy)
    return copy
  }

  /// Copies the folder to one that does not exist yet.
  package func copy(to other: TemporaryFolder) throws {
    try FileManager.default.copyItem(at: url, to: other.url)
  }

  /// The relative paths of all files below one of its folders.
  package func files(in name: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: path(name).path)?.compactMap { $0 as? String } ?? []
    return paths.filter { path in
      (try? self.path("\(name)/\(path)").resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == false
    }
  }

  /// The permissions of a file or folder in it, such as 0o700.
  package func permissions(_ name: String = "") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name).path)[.posixPermissions] as? Int
  }
}
