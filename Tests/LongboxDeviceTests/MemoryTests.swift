// Longbox
// SPDX-License-Identifier: MIT

import CDeviceRuntime
import TestSupport
import Testing

/// The memory that the WebAssembly has in place of the C library's, here on an arena of 16 MiB.
///
/// One test after another: there is one memory.
@Suite(.serialized)
struct MemoryTests {
  private struct Block {
    var bytes: UnsafeMutableRawBufferPointer
    var mark: UInt8

    init?(_ count: Int, _ mark: UInt8) {
      guard let start = longbox_memory_allocate(count) else { return nil }
      bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
      self.mark = mark
      bytes.initializeMemory(as: UInt8.self, repeating: mark)
    }

    var isWhole: Bool { bytes.allSatisfy { $0 == mark } }

    func free() { longbox_memory_free(bytes.baseAddress) }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `keeps every block apart from all others, whatever is given back in between`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var blocks: [Block] = []
    for _ in 0..<20_000 {
      if blocks.count > 200 || !blocks.isEmpty && Bool.random(using: &random) {
        let block = blocks.remove(at: Int.random(in: blocks.indices, using: &random))
        try #require(block.isWhole, "seed \(seed)")
        block.free()
      } else {
        let greatest = [40, 600, 33_000, 100_000][Int.random(in: 0..<4, using: &random)]
        let count = Int.random(in: 0...greatest, using: &random)
        let block = try #require(Block(count, UInt8.random(in: 0...255, using: &random)), "seed \(seed)")
        try #require(Int(bitPattern: block.bytes.baseAddress) % 16 == 0, "seed \(seed)")
        blocks.append(block)
      }
    }
    for block in blocks {
      #expect(block.isWhole, "seed \(seed)")
      block.free()
    }
  }

  @Test(arguments: [
    0, 1, 16, 17, 24, 32, 33, 48, 49, 24_576, 24_577, 32_768, 32_769, 65_536, 65_537, 1_000_000,
  ])
  func `takes no more pages for what is given back each time`(count: Int) throws {
    try #require(Block(count, 1)).free()
    let pages = longbox_memory_page_count()
    for _ in 0..<1000 { try #require(Block(count, 2)).free() }
    #expect(longbox_memory_page_count() == pages)
  }

  @Test func `joins pages that lie side by side again`() throws {
    try #require(Block(1 << 20, 1)).free()
    let pages = longbox_memory_page_count()
    let blocks = try (0..<8).map { try #require(Block(100_000, UInt8($0))) }
    for block in blocks { block.free() }
    try #require(Block(1 << 20, 9)).free()
    #expect(longbox_memory_page_count() == pages)
  }

  @Test func `says so where there is no room, and works on`() throws {
    #expect(longbox_memory_allocate(1 << 30) == nil)
    #expect(longbox_memory_allocate(Int.max) == nil)
    let block = try #require(Block(100, 7))
    #expect(block.isWhole)
    block.free()
    longbox_memory_free(nil)
  }
}
