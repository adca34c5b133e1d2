// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A call of the system that failed.
struct FileError: Error {
  /// The file or folder it was about.
  let path: String
  /// The system's error number.
  let number: Int32

  /// Takes the error number of the call that has just failed.
  /// - Parameter path: the file or folder that the call was about.
  init(path: String, number: Int32 = errno) {
    self.path = path
    self.number = number
  }

  /// The system's words for the error, such as "Permission denied".
  var reason: String { String(cString: strerror(number)) }

  /// Whether the disk, or the quota on it, is full.
  var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}
