// Longbox
// SPDX-License-Identifier: MIT

#if arch(wasm32)
// What the service worker calls, in WebAssembly.

/// It keeps nothing between two questions.
private let albums = AlbumAnswers()

/// The last reply, which the host copies before it calls again.
///
/// WebAssembly has one thread, and the host calls one function at a time.
nonisolated(unsafe) private var reply: [UInt8] = []

/// Makes room in this instance's memory, for the host to write a message into.
@_expose(wasm, "allocate")
@_cdecl("longbox_albums_allocate")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer {
  .allocate(byteCount: Int(count), alignment: 16)
}

/// Does one thing, and gives the message's room back.
/// - Returns: the length of the reply, or -1 where it can't be done.
@_expose(wasm, "perform")
@_cdecl("longbox_albums_perform")
public func perform(_ operation: Int32, _ start: UnsafeMutableRawPointer, _ count: Int32) -> Int32 {
  let message = Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  start.deallocate()
  guard
    let operation = AlbumAnswers.Operation(rawValue: UInt8(truncatingIfNeeded: operation)),
    let bytes = albums.perform(operation, message)
  else { return -1 }
  reply = bytes
  return Int32(bytes.count)
}

/// Copies the last reply to where the host has made room.
@_expose(wasm, "collect")
@_cdecl("longbox_albums_collect")
public func collect(_ start: UnsafeMutableRawPointer) {
  UnsafeMutableRawBufferPointer(start: start, count: reply.count).copyBytes(from: reply)
}

/// Gives room back.
@_expose(wasm, "release")
@_cdecl("longbox_albums_release")
public func release(_ start: UnsafeMutableRawPointer) {
  start.deallocate()
}
#else
import Foundation

/// The same as a program, for tests that compare both.
///
/// Standard input: messages, each u8 operation, u32 length, bytes. Standard output: a reply for each, u8 whether it could
/// be done, u32 length, bytes.
@main
struct Main {
  static func main() {
    let albums = AlbumAnswers()
    while let head = read(5), let length = head.dropFirst().littleEndian, let message = read(length) {
      let reply = AlbumAnswers.Operation(rawValue: head[0]).flatMap { albums.perform($0, message) }
      let bytes = reply ?? []
      let count = UInt32(bytes.count)
      let heading = [reply == nil ? 0 : 1] + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) }
      FileHandle.standardOutput.write(Data(heading + bytes))
    }
  }

  private static func read(_ count: Int) -> [UInt8]? {
    guard count > 0 else { return [] }
    let data = try? FileHandle.standardInput.read(upToCount: count)
    return data?.count == count ? data.map { [UInt8]($0) } : nil
  }
}

extension Collection<UInt8> {
  /// A number of 32 bits in little-endian order.
  fileprivate var littleEndian: Int? {
    Int(exactly: reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }
}
#endif
