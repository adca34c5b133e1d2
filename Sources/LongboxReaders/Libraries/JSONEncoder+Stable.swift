// Longbox
// SPDX-License-Identifier: MIT

package import Foundation

extension JSONEncoder {
  /// An encoder that encodes equal values to equal bytes: the keys are sorted, and slashes aren't escaped.
  package static var stable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
