// Longbox
// SPDX-License-Identifier: MIT

import CZlib

enum Gzip {
  /// The bytes compressed with zlib as gzip (RFC 1952); nil if they would not be shorter.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, plus 16 for the gzip header.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let room = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    let compressed = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
    return compressed.isEmpty || compressed.count >= bytes.count ? nil : compressed
  }
}
