// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

@testable import LongboxDevice

/// A device that a test works with; a class, for the macros of Swift Testing can't call what changes a value.
final class DeviceBench {
  private var device: Device

  init(_ device: Device = Device()) {
    self.device = device
  }

  func perform(_ operation: Operation, _ message: [UInt8] = []) -> [UInt8]? {
    device.perform(operation, message)
  }

  /// A device with three comics and an empty library.
  static func opened() throws -> DeviceBench {
    var writer = SegmentWriter()
    for (number, title) in [(1, "Barrel"), (2, "Trees"), (3, "Island")] as [(Int, Text)] {
      guard let number = Comic.Number(number),
        let date = CalendarDate(year: 2006, month: 1, day: number.value)
      else {
        continue
      }
      let address: Text = "https://imgs.xkcd.com/comics/picture.png"
      try writer.append(Comic(number: number, date: date, title: title, alt: title, pictureAddress: address))
    }
    var device = Device()
    _ = device.perform(.open, try writer.finish(.init(revision: 3)))
    _ = device.perform(.begin, [7, 0, 0, 0, 0, 0, 0, 0])
    return DeviceBench(device)
  }
}

/// A question as a host writes it.
struct Ask {
  let message: [UInt8]

  init(
    _ path: String,
    query: String = "",
    form: String? = nil,
    isOffline: Bool = false,
    explanations: [[UInt8]] = []
  ) {
    var writer = MessageWriter()
    writer.append((form == nil ? 0 : 1) | (isOffline ? 2 : 0))
    for _ in 0..<2 {
      writer.append32(1000)
      writer.append32(0)
    }
    for text in [path, query, form ?? "", "assets", "1.0"] {
      writer.append32(text.utf8.count)
      writer.append(Array(text.utf8))
    }
    // No comic that can't be had, nothing that the finder found.
    for _ in 0..<2 { writer.append32(0) }
    writer.append32(explanations.count)
    for explanation in explanations { writer.append(explanation) }
    message = writer.bytes
  }
}
