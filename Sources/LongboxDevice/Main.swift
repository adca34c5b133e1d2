// Longbox
// SPDX-License-Identifier: MIT

#if arch(wasm32)
// What the service worker calls, in WebAssembly. `docs/device.md` says how.

/// The one device of this instance.
///
/// WebAssembly has one thread, and the host calls one function at a time.
nonisolated(unsafe) private var device = Device()

/// The message that the host is writing: `inbox` makes it, `perform` takes it.
nonisolated(unsafe) private var message: [UInt8] = []

/// The last reply, which the host copies before it calls again.
nonisolated(unsafe) private var reply: [UInt8] = []

/// Makes room for a message: the storage of the array that `perform` takes, so that it is never copied.
@_expose(wasm, "inbox")
@_cdecl("longbox_inbox")
public func inbox(_ count: Int32) -> UnsafeMutableRawPointer? {
  reply = []
  message = [UInt8](unsafeUninitializedCapacity: Int(count)) { _, filled in filled = Int(count) }
  return message.withUnsafeMutableBytes { $0.baseAddress }
}

/// Does one thing with the message.
/// - Returns: the length of the reply, or -1 where it can't be done.
@_expose(wasm, "perform")
@_cdecl("longbox_perform")
public func perform(_ operation: Int32) -> Int32 {
  var taken: [UInt8] = []
  swap(&taken, &message)
  guard
    let operation = Operation(rawValue: UInt8(truncatingIfNeeded: operation)),
    let bytes = device.perform(operation, taken)
  else { return -1 }
  reply = bytes
  return Int32(bytes.count)
}

/// Where the reply stands until the next call.
@_expose(wasm, "outbox")
@_cdecl("longbox_outbox")
public func outbox() -> UnsafeRawPointer? {
  reply.withUnsafeBytes { $0.baseAddress }
}
#else
import Foundation

/// The same device as a program, for tests that compare both, and for looking at what is wrong with a message.
///
/// Standard input: messages, each u8 operation, u32 length, bytes. Standard output: a reply for each, u8 whether it could
/// be done, u32 length, bytes.
@main
struct Main {
  static func main() {
    var device = Device()
    while let head = read(5), let length = head.dropFirst().littleEndian, let message = read(length) {
      let reply = Operation(rawValue: head[0]).flatMap { device.perform($0, message) }
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
