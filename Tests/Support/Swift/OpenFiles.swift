// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The open files of a process, as Linux lists them.
package enum OpenFiles {
  /// What each number refers to, such as `socket:[123]`.
  package static func of(_ process: Int32) throws -> [String: String] {
    let folder = "/proc/\(process)/fd"
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
    }
    return files
  }
}
