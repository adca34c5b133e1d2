// Longbox
// SPDX-License-Identifier: MIT

#if arch(wasm32)
// What the service worker calls, in WebAssembly.

/// The one finder of this instance.
///
/// WebAssembly has one thread, and the host calls one function at a time.
nonisolated(unsafe) private var finder = Finder()

/// The last reply, which the host copies before it calls again.
nonisolated(unsafe) private var reply: [UInt8] = []

/// Makes room in this instance's memory, for the host to write a message into.
@_expose(wasm, "allocate")
@_cdecl("longbox_finder_allocate")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer {
  .allocate(byteCount: Int(count), alignment: 16)
}

/// Does one thing, and gives the message's room back.
/// - Returns: the length of the reply, or -1 where it can't be done.
@_expose(wasm, "perform")
@_cdecl("longbox_finder_perform")
public func perform(_ operation: Int32, _ start: UnsafeMutableRawPointer, _ count: Int32) -> Int32 {
  let message = Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  start.deallocate()
  guard
    let operation = Finder.Operation(rawValue: UInt8(truncatingIfNeeded: operation)),
    let bytes = finder.perform(operation, message)
  else { return -1 }
  reply = bytes
  return Int32(bytes.count)
}

/// Copies the last reply to where the host has made room.
@_expose(wasm, "collect")
@_cdecl("longbox_finder_collect")
public func collect(_ start: UnsafeMutableRawPointer) {
  UnsafeMutableRawBufferPointer(start: start, count: reply.count).copyBytes(from: reply)
}

/// Gives room back.
@_expose(wasm, "release")
@_cdecl("longbox_finder_release")
public func release(_ start: UnsafeMutableRawPointer) {
  start.deallocate()
}
#else
@main
struct Main {
  static func main() {
    print("LongboxFinder runs in the service worker: build it with `make wasm`.")
  }
}
#endif
