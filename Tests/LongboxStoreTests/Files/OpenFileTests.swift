// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LongboxStore

@Suite("Opening a file") struct OpenFileTests {
  private let folder = TemporaryFolder()

  @Test(.timeLimit(.minutes(1)), arguments: [O_RDONLY, O_WRONLY, O_RDWR | O_CREAT])
  func `refuses a pipe, a device and a socket at once`(flags: Int32) throws {
    try folder.write([], to: "file")
    let (pipe, socket) = (folder.path("pipe").path, folder.path("socket").path)
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(mknod(socket, S_IFSOCK | 0o600, 0) == 0)
    for path in [pipe, socket, "/dev/zero", "/dev/full"] {
      let error = #expect(throws: FileError.self, "\(path)") { _ = try OpenFile(path, flags) }
      #expect(error?.reason == "it is neither a file nor a folder", "\(path)")
    }
  }

  @Test func `follows a link for reading only`() throws {
    try folder.write([1], to: "file")
    let link = folder.path("link").path
    #expect(symlink(folder.path("file").path, link) == 0)
    #expect(try OpenFile(link, O_RDONLY).read(2) == [1])
    for flags in [O_WRONLY, O_RDWR, O_RDWR | O_CREAT, O_WRONLY | O_TRUNC] {
      #expect(throws: FileError.self) { _ = try OpenFile(link, flags) }
    }
    #expect(try PrivateFile.read(folder.path("file")) == [1])
  }

  @Test func `opens a folder to sync it, and reads none`() throws {
    try folder.write([], to: "file")
    #expect(throws: Never.self) { try OpenFile(folder.url.path, O_RDONLY).sync() }
    #expect(try PrivateFile.read(folder.path("absent")) == nil)
    #expect(throws: FileError.self) { try PrivateFile.read(folder.url) }
  }
}

@Suite("Numbers that others give") struct NumberTests {
  @Test(
    arguments: [
      (0, 0), (1.9, 1), (-1.9, -1), (1e300, .max), (-1e300, .min), (.infinity, .max), (-.infinity, .min),
      (.nan, 0),
      (9_223_372_036_854_775_808, .max), (-9_223_372_036_854_775_808, .min),
    ] as [(Double, Int64)]
  )
  func `stay within the range`(number: Double, expected: Int64) {
    #expect(Int64(within: number) == expected)
    #expect(UInt64(within: number) >= 0)
    #expect(UInt8(within: number) == UInt8(clamping: expected))
  }

  @Test(arguments: [(1, 2, 3), (.max, 1, .max), (.min, -1, .min), (.max, -1, .max - 1)] as [(Int, Int, Int)])
  func `are added within the range`(one: Int, other: Int, sum: Int) {
    #expect(one.addingWithinRange(other) == sum)
  }

  @Test(
    arguments: [
      (3, 4, 12), (0, .max, 0), (.max, 4096, .max), (1 << 52, 4096, .max),
    ] as [(UInt64, UInt64, UInt64)]
  )
  func `are multiplied within the range`(one: UInt64, other: UInt64, product: UInt64) {
    #expect(one.multipliedWithinRange(by: other) == product)
  }
}
