// Longbox
// SPDX-License-Identifier: MIT

package import LongboxCore

/// The page that a form returns to: a local path only, so that no form redirects to another site.
package enum BackAddress {
  private static let longest = 300

  /// The page; the newest comic if the form's path is missing or invalid.
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
