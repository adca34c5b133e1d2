// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A failed system call on a file or folder.
package struct FileError: Error, CustomStringConvertible {
  let path: String
  let number: Int32

  /// Takes the error number of the call that has just failed.
  /// - Parameter path: the file or folder of the call.
  init(path: String, number: Int32 = errno) {
    self.path = path
    self.number = number
  }

  /// The system's text for the error, such as "Permission denied".
  package var reason: String { String(cString: strerror(number)) }

  package var description: String { "\(path): \(reason)" }

  var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}
