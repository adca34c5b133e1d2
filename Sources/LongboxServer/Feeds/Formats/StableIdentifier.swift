// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// Identifiers of feeds and entries, independent of the server's address (RFC 4287, section 4.2.6).
enum StableIdentifier {
  /// A UUID of version 8 (RFC 9562, section 5.8) from two hashes of a name: the same name gives the same
  /// identifier.
  static func of(_ name: String) -> String {
    let name = Array("longbox/\(name)".utf8)
    let words = [0, 1].map { XXH64.hash(name.span.bytes, seed: $0) }
    var bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return of(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
  }

  /// A UUID as a URN (RFC 9562, section 4).
  static func of(_ uuid: UUID) -> String { "urn:uuid:\(uuid.uuidString.lowercased())" }
}
