// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

@testable import LongboxServer

@Suite struct `The memory of a container` {
  private let folder = TemporaryFolder()

  private func available(_ files: [String: String]) throws -> Int? {
    for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
    return SystemMemory.availableBytes(inGroup: folder.url.path)
  }

  @Test func `includes the cache of files that the kernel frees`() throws {
    #expect(try available(["memory.current": "900\n"]) == nil)
    #expect(try available(["memory.max": "max\n"]) == nil)
    #expect(try available(["memory.max": "1000\n"]) == 100)
    #expect(try available(["memory.stat": "anon 400\ninactive_file 300\nactive_file 200\n"]) == 400)
    #expect(try available(["memory.current": "1100\n", "memory.stat": "inactive_file 0\n"]) == 0)
  }
}
