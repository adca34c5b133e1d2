// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore
@testable import LongboxDevice

/// Messages of a host to the device, one after another.
enum MessageTarget {
  /// A device with an archive and an empty library.
  private static var opened: Device {
    var device = Device()
    _ = device.perform(.open, SampleComics.segment)
    _ = device.perform(.begin, [7, 0, 0, 0, 0, 0, 0, 0])
    return device
  }

  /// Each message is a byte for the operation, two for its length, and its bytes.
  static func run(_ input: [UInt8]) throws(Finding) {
    var device = opened
    var rest = input[...]
    for _ in 0..<8 {
      guard let first = rest.popFirst(), let low = rest.popFirst(), let high = rest.popFirst() else { break }
      let message = Array(rest.prefix(Int(low) | Int(high) << 8))
      rest = rest.dropFirst(message.count)
      guard let operation = LongboxDevice.Operation(rawValue: first % 12) else { continue }
      let reply = device.perform(operation, message)
      if operation == .respond, let reply {
        try Finding.check(reply.first == 0 || reply.first == 1, "a response is neither needs nor an answer")
      }
      guard let stored = device.perform(.save, []) else { throw Finding(description: "the library is gone") }
      var other = Device()
      try Finding.check(other.perform(.load, stored) != nil, "the stored library can't be loaded")
    }
  }
}
