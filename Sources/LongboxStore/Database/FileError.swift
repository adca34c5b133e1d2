// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A failed system call on a file or folder.
package struct FileError: Error, CustomStringConvertible {
  let path: String
  /// The system's error number; 0 if no call has failed.
  let number: Int32
  /// The system's text for the error, such as "Permission denied".
  package let reason: String

  /// Takes the error number of the call that has just failed.
  /// - Parameter path: the file or folder of the call.
  init(path: String, number: Int32 = errno) {
    self.path = path
    self.number = number
    reason = String(cString: strerror(number))
  }

  /// Something else is in the place of a file or a folder.
  init(special path: String) {
    self.path = path
    number = 0
    reason = "it is neither a file nor a folder"
  }

  package var description: String { "\(path): \(reason)" }

  var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}
