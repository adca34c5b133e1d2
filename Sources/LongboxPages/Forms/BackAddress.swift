// Longbox
// SPDX-License-Identifier: MIT

package import LongboxCore

/// The page that a form leads back to: a path of ours and nothing else, so that no form can lead elsewhere.
package enum BackAddress {
  private static let longest = 300

  /// The page, or the newest comic where a form names none that could be ours.
  package static func link(_ address: Text?) -> Link {
    guard
      let bytes = address?.bytes, bytes.count <= longest,
      bytes.first == UInt8(ascii: "/"),
      bytes.dropFirst().first != UInt8(ascii: "/"),
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return .latest }
    return .local(Text(bytes))
  }
}
