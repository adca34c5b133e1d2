// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

// What the service worker calls, in WebAssembly; elsewhere the program only says where it belongs.

#if arch(wasm32)
/// The one device of this instance.
///
/// WebAssembly has one thread, and the host calls one function at a time.
nonisolated(unsafe) private var device: Device?

/// The last reply, which the host copies before it calls again.
nonisolated(unsafe) private var reply: UnsafeMutableRawBufferPointer?

/// Makes room in this instance's memory, for the host to write into.
@_expose(wasm, "allocate")
@_cdecl("longbox_allocate")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer {
  .allocate(byteCount: Int(count), alignment: 16)
}

/// Gives room back.
@_expose(wasm, "release")
@_cdecl("longbox_release")
public func release(_ start: UnsafeMutableRawPointer) {
  start.deallocate()
}

/// Opens the archive that the host has written: 1 where it can be read, 0 where not.
@_expose(wasm, "open")
@_cdecl("longbox_open")
public func open(_ start: UnsafeRawPointer, _ count: Int32) -> Int32 {
  let bytes = Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  do throws(ArchiveError) {
    device = try Device(archive: bytes)
    return 1
  } catch {
    return 0
  }
}

/// Answers the request for an address that the host has written.
///
/// The number by chance comes in two halves, for JavaScript has no plain number of 64 bits.
/// - Returns: the length of the reply, which stands at ``replyStart()``; 0 where no archive is open.
@_expose(wasm, "respond")
@_cdecl("longbox_respond")
public func respond(_ start: UnsafeRawPointer, _ count: Int32, _ high: UInt32, _ low: UInt32) -> Int32 {
  guard let device else { return 0 }
  let address = Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  let bytes = device.reply(to: address, chance: UInt64(high) << 32 | UInt64(low))
  reply?.deallocate()
  let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
  room.copyBytes(from: bytes)
  reply = room
  return Int32(bytes.count)
}

/// Where the last reply stands.
@_expose(wasm, "reply")
@_cdecl("longbox_reply")
public func replyStart() -> UnsafeMutableRawPointer? {
  reply?.baseAddress
}
#else
@main
struct Main {
  static func main() {
    print("LongboxDevice runs in the service worker: build it with `make wasm`.")
  }
}
#endif
