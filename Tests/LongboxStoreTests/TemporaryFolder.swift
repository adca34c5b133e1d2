// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LongboxStore

/// A data folder that is deleted after the test; the store creates it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "longbox-test-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The URL of a file or folder in it.
  func path(_ name: String) -> URL { url.appending(path: name) }

  /// The relative paths of all files below one of its folders.
  func files(in name: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: path(name).path)?.compactMap { $0 as? String } ?? []
    return paths.filter { path in
      (try? self.path("\(name)/\(path)").resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == false
    }
  }

  /// Copies the folder in its current state, which is what a kill -9 would leave now.
  func copy() throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    try FileManager.default.copyItem(at: url, to: copy.url)
    return copy
  }

  /// The permissions of a file or folder in it, such as 0o700.
  func permissions(_ name: String = "") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name).path)[.posixPermissions] as? Int
  }
}
