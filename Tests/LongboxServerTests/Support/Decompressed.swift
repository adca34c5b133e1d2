// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import Testing
import TestSupport

@testable import LongboxServer

/// Decompresses a body with the command-line tool for its coding.
func decompressed(_ bytes: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
  let folder = TemporaryFolder()
  try folder.write(bytes, to: "body")
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [coding == .brotli ? "brotli" : "gzip", "--decompress", "--stdout"]
  process.standardInput = try FileHandle(forReadingFrom: folder.path("body"))
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let decompressed = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0, "\(coding)")
  return [UInt8](decompressed)
}
