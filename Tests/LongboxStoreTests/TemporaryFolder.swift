// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LongboxStore

/// A data folder that goes away with the test.
///
/// It doesn't exist until a store makes it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "longbox-test-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A file or folder in it.
  func path(_ name: String) -> URL { url.appending(path: name) }

  /// All files below a folder of it, by their paths within.
  func files(in name: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: path(name).path)?.compactMap { $0 as? String } ?? []
    return paths.filter { path in
      (try? self.path("\(name)/\(path)").resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == false
    }
  }

  /// A copy of it as it is now, which is what a kill -9 at this moment would leave.
  func copy() throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    try FileManager.default.copyItem(at: url, to: copy.url)
    return copy
  }

  /// The permissions of a file or folder in it, as in 0o700.
  func permissions(_ name: String = "") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name).path)[.posixPermissions] as? Int
  }
}
