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
    line.add(cut(SecretAddress.withoutSecrets(request.path ?? "-")))
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
    add("path", cut(SecretAddress.withoutSecrets(request.path ?? "")))
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
    request.headerFields[.referer].map { cut(SecretAddress.withoutSecrets($0)) }
  }

  private var userAgent: String? { request.headerFields[.userAgent].map { cut($0) } }

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
