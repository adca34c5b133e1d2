// Longbox
// SPDX-License-Identifier: MIT

import Crypto

/// A value that is copied from one engine to another; a boolean is 0 or 1.
enum CopiedValue: Hashable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  /// Adds the value to a hash with its type and length, so different sequences of values have different hashes.
  func hash(into hash: inout SHA256) {
    func add(_ tag: UInt8, _ bytes: some Collection<UInt8>) {
      var head = [tag]
      withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { head += $0 }
      hash.update(data: head)
      hash.update(data: Array(bytes))
    }
    switch self {
    case .null: add(0, [])
    case .integer(let value): withUnsafeBytes(of: value.bigEndian) { add(1, Array($0)) }
    case .text(let value): add(2, value.utf8)
    case .bytes(let value): add(3, value)
    }
  }
}

typealias CopiedRow = [CopiedValue]
