// Longbox
// SPDX-License-Identifier: MIT

#if arch(wasm32)
// The functions that the service worker calls, in WebAssembly; see `docs/device.md`.

/// The device of this instance.
///
/// WebAssembly has one thread, and the host calls one function at a time.
nonisolated(unsafe) private var device = Device()

/// The message that the host is writing: `inbox` allocates it, `perform` consumes it.
nonisolated(unsafe) private var message: [UInt8] = []

/// The last reply, which the host copies before its next call.
nonisolated(unsafe) private var reply: [UInt8] = []

/// Allocates a message: the storage of the array that `perform` uses, so that it is never copied.
@_expose(wasm, "inbox")
@_cdecl("longbox_inbox")
public func inbox(_ count: Int32) -> UnsafeMutableRawPointer? {
  reply = []
  message = [UInt8](unsafeUninitializedCapacity: Int(count)) { _, filled in filled = Int(count) }
  return message.withUnsafeMutableBytes { $0.baseAddress }
}

/// Performs an operation on the message.
/// - Returns: the length of the reply, or -1 on failure.
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

/// The address of the reply, valid until the next call.
@_expose(wasm, "outbox")
@_cdecl("longbox_outbox")
public func outbox() -> UnsafeRawPointer? {
  reply.withUnsafeBytes { $0.baseAddress }
}
#else
import Foundation

/// The device as a command-line program, for comparison tests and for debugging messages.
///
/// Standard input: messages, each u8 operation, u32 length, bytes. Standard output: a reply for each, u8
/// success, u32 length, bytes.
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
  /// The bytes as a little-endian 32-bit number.
  fileprivate var littleEndian: Int? {
    Int(exactly: reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }
}
#endif
