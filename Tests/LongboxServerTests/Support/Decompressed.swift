// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxServer

/// Decompresses a body with the command-line tool for its coding.
func decompressed(_ bytes: [UInt8], _ coding: ContentCoding) async throws -> [UInt8] {
  let tool = coding == .brotli ? "brotli" : "gzip"
  let end = try await Program.run(tool, "--decompress", "--stdout", input: bytes)
  #expect(end.code == 0, "\(coding)")
  return end.bytes
}
