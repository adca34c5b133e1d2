// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// The bytes of a response, to be sent in portions.
///
/// All responses with the same bytes share their memory; only the portion that is being sent is a copy.
struct ResponseBytes: Sendable {
  private enum Rest {
    case buffer(ByteBuffer)
    case array(ArraySlice<UInt8>)
  }

  /// The length of a portion, in bytes.
  static let portion = 128 << 10

  private var rest: Rest

  init(_ buffer: ByteBuffer) {
    rest = .buffer(buffer)
  }

  init(_ bytes: ArraySlice<UInt8>) {
    rest = .array(bytes)
  }

  /// The number of bytes that are left.
  var count: Int {
    switch rest {
    case .buffer(let buffer): buffer.readableBytes
    case .array(let bytes): bytes.count
    }
  }

  /// Removes the next portion; nil if nothing is left.
  mutating func next() -> ByteBuffer? {
    switch rest {
    case .buffer(var buffer):
      guard let part = buffer.readSlice(length: min(buffer.readableBytes, Self.portion)),
        part.readableBytes > 0
      else { return nil }
      rest = .buffer(buffer)
      return part
    case .array(let bytes):
      let part = bytes.prefix(Self.portion)
      guard !part.isEmpty else { return nil }
      rest = .array(bytes.dropFirst(part.count))
      return ByteBuffer(bytes: part)
    }
  }
}
