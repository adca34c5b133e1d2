// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

#if arch(wasm32)
/// Room in this instance's memory, for the host to write into.
@_expose(wasm, "allocate")
@_cdecl("longbox_allocate")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer {
  .allocate(byteCount: Int(count), alignment: 16)
}
@_expose(wasm, "open")
@_cdecl("longbox_open")
public func open(_ start: UnsafeRawPointer, _ count: Int32) -> Int32 {
  do throws(ArchiveError) {
    let segment = try Segment(Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
    let archive = try Archive(segment).compacted()
    return Int32(archive.latest?.title.count ?? 0)
  } catch {
    return -1
  }
}
#else
@main
struct Main {
  static func main() {}
}
#endif
