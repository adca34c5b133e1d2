// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes

/// A request and its response, for the access log.
struct AccessLogEntry {
  /// When the request's header had come.
  var time: Date
  /// The client, as a trusted proxy names it.
  var client: IPAddress?
  var request: HTTPRequest
  /// The response's status; nil if the client left before there was one.
  var status: Int?
  /// The request's id in the program's log; nil if the response came from memory.
  var id: String?
  /// The length of the response's body, in bytes.
  var byteCount = 0
  /// The time until the end of the response.
  var duration = Duration.zero

  /// The status that is logged if the client left before the response, as in nginx's log.
  static let clientLeft = 499
  /// The maximum length of a logged text that the client has chosen, in bytes.
  private static let longest = 1024

  /// The line in a format, with its end.
  func line(_ settings: AccessLogSettings) -> [UInt8] {
    switch settings.format {
    case .combined: combined(settings)
    case .json: json(settings)
    }
  }

  /// `192.0.2.0 - - [15/Jan/2027:12:00:00 +0000] "GET /1/ HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`.
  private func combined(_ settings: AccessLogSettings) -> [UInt8] {
    var line = AccessLogText(escaping: .hexadecimal)
    line.add(address(settings))
    line.add(literal: " - - [\(AccessLogTime.combined(time))] \"")
    line.add(request.method.rawValue)
    line.add(literal: " ")
    line.add(withoutSecrets(request.path ?? "-"))
    line.add(literal: " HTTP/1.1\" \(status ?? Self.clientLeft) \(byteCount) \"")
    line.add(referrer ?? "-")
    line.add(literal: "\" \"")
    line.add(userAgent ?? "-")
    line.add(literal: "\"\n")
    return line.bytes
  }

  /// An object of `time`, `request`, `client`, `method`, `path`, `host`, `status`, `bytes`, `seconds`, `referrer` and
  /// `userAgent`.
  private func json(_ settings: AccessLogSettings) -> [UInt8] {
    var line = AccessLogText(escaping: .json)
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    line.add(literal: "{\"time\":\"\(AccessLogTime.iso8601(time))\"")
    func add(_ name: StaticString, _ value: String?) {
      guard let value else { return }
      line.add(literal: ",\"\(name)\":\"")
      line.add(value)
      line.add(literal: "\"")
    }
    add("request", id)
    add("client", address(settings))
    add("method", request.method.rawValue)
    add("path", withoutSecrets(request.path ?? ""))
    add("host", request.authority.map { cut($0) })
    line.add(literal: ",\"status\":\(status ?? Self.clientLeft),\"bytes\":\(byteCount)")
    line.add(literal: ",\"seconds\":\((seconds * 1e6).rounded() / 1e6)")
    add("referrer", referrer)
    add("userAgent", userAgent)
    line.add(literal: "}\n")
    return line.bytes
  }

  private func address(_ settings: AccessLogSettings) -> String {
    guard let client else { return "-" }
    return (settings.hasFullAddresses ? client : client.network).description
  }

  private var referrer: String? {
    request.headerFields[.referer].map { withoutSecrets($0) }
  }

  private var userAgent: String? { request.headerFields[.userAgent].map { cut($0) } }

  /// An address of limited length, without its secrets.
  ///
  /// It is cut before, too: the connection's thread looks for the secrets, and the other connections of that thread wait.
  private func withoutSecrets(_ address: String) -> String { cut(SecretAddress.withoutSecrets(cut(address))) }

  /// A text of limited length.
  private func cut(_ text: String) -> String {
    text.utf8.count <= Self.longest ? text : String(text.unicodeScalars.prefix(Self.longest / 4)) + "..."
  }
}

extension IPAddress {
  /// The network that is logged in place of the address: /24 of IPv4, /48 of IPv6.
  var network: IPAddress {
    let kept = bytes.count == 4 ? 3 : 6
    return IPAddress(bytes.prefix(kept) + [UInt8](repeating: 0, count: bytes.count - kept)) ?? self
  }
}

/// The bytes of a log line; texts that clients choose are escaped, so that they can't forge lines or fields.
struct AccessLogText {
  /// How quotes, backslashes and all but printable ASCII are escaped.
  enum Escaping {
    /// `\x0A`, as Apache and nginx do.
    case hexadecimal
    /// `\u000A`, for JSON strings.
    case json
  }

  private let escaping: Escaping
  private(set) var bytes: [UInt8] = []

  init(escaping: Escaping) {
    self.escaping = escaping
    bytes.reserveCapacity(256)
  }

  /// Adds text of the program's own.
  mutating func add(literal text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds a text of a client, escaped.
  mutating func add(_ text: String) {
    switch escaping {
    case .hexadecimal:
      for byte in text.utf8 {
        if Self.isPlain(UInt16(byte)) { bytes.append(byte) } else { add(byte, "\\x", digits: 2) }
      }
    case .json:
      for unit in text.utf16 {
        if Self.isPlain(unit) {
          bytes.append(UInt8(truncatingIfNeeded: unit))
        } else {
          add(unit, "\\u", digits: 4)
        }
      }
    }
  }

  private static func isPlain(_ unit: UInt16) -> Bool {
    (0x20...0x7E).contains(unit) && unit != 0x22 && unit != 0x5C
  }

  private mutating func add(_ number: some FixedWidthInteger, _ prefix: String, digits: Int) {
    let text = String(number, radix: 16, uppercase: true)
    add(literal: prefix + String(repeating: "0", count: digits - text.utf8.count) + text)
  }
}

/// Times in log lines, in UTC.
enum AccessLogTime {
  /// `15/Jan/2027:12:00:00 +0000`.
  static func combined(_ date: Date) -> String { formatted(date, "%d/%b/%Y:%H:%M:%S +0000") }

  /// `2027-01-15T12:00:00.250Z`.
  static func iso8601(_ date: Date) -> String {
    let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded(.down)) % 1000
    let text = String(milliseconds)
    let padding = String(repeating: "0", count: 3 - text.utf8.count)
    return formatted(date, "%Y-%m-%dT%H:%M:%S.") + padding + text + "Z"
  }

  private static func formatted(_ date: Date, _ format: String) -> String {
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = strftime(buffer.baseAddress, buffer.count, format, &parts)
      return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
