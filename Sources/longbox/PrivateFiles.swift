// Longbox
// SPDX-License-Identifier: MIT

import Foundation

enum PrivateFiles {
  private static let mask: mode_t = 0o077
  /// The mask that the person's shell gave this program; the first use replaces it.
  private static let usualMask = umask(mask)

  /// Gives new files permissions 0600 and new folders 0700 from here on, those of libraries too.
  static func begin() {
    _ = usualMask
  }

  /// Does what starts a program that isn't ours, which must get the usual permissions.
  static func lifted(_ work: () -> Void) {
    umask(usualMask)
    work()
    umask(mask)
  }
}
