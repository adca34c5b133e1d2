// Longbox
// SPDX-License-Identifier: MIT

/// Why a reply is not usable, for sources that reply with a JSON object.
protocol JSONObjectFault: Error {
  /// The reply is empty, or only white space.
  static var empty: Self { get }
  /// The reply is an HTML page.
  static var html: Self { get }
  /// The reply is not one whole JSON object.
  static var notAnObject: Self { get }
}

extension JSONObjectFault {
  /// Checks what a reply begins with, before it is decoded.
  static func checkObject(_ json: [UInt8]) throws(Self) {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = json.first(where: { !isSpace($0) }) else { throw .empty }
    guard first != UInt8(ascii: "<") else { throw .html }
    // Foundation also accepts UTF-16 and UTF-32, which have zero bytes.
    guard first == UInt8(ascii: "{"), !json.contains(0) else { throw .notAnObject }
  }
}
