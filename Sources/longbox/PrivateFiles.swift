// Longbox
// SPDX-License-Identifier: MIT

import Foundation

enum PrivateFiles {
  /// Gives new files permissions 0600 and new folders 0700 from here on, those of libraries too.
  static func begin() {
    umask(0o077)
  }
}
