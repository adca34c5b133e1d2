// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxReaders

/// The cookie of a device that signed in.
enum SessionCookie {
  /// Browsers send a cookie with this prefix only by HTTPS, and no other host or path can have set it (RFC 6265bis,
  /// section 4.1.3.2).
  static let secureName = "__Host-longbox-session"
  /// The name without HTTPS, where browsers reject the prefix.
  static let plainName = "longbox-session"

  /// The secret in a request; nil if there is none.
  static func secret(in head: HTTPRequest) -> Substring? {
    let name = head.isSecure ? secureName : plainName
    for field in head.headerFields where field.name == .cookie {
      for pair in field.value.utf8.split(separator: UInt8(ascii: ";")) {
        let pair = pair.drop { $0 == UInt8(ascii: " ") }
        guard pair.starts(with: name.utf8), pair.dropFirst(name.utf8.count).first == UInt8(ascii: "=") else {
          continue
        }
        return Substring(pair.dropFirst(name.utf8.count + 1))
      }
    }
    return nil
  }

  /// The `Set-Cookie` value.
  /// - Parameters:
  ///   - secret: the session's secret; empty to sign out.
  ///   - seconds: how long the browser keeps it.
  ///   - isSecure: whether the connection is encrypted.
  static func header(_ secret: some StringProtocol, for seconds: Int, isSecure: Bool) -> String {
    let (name, secure) = isSecure ? (secureName, "; Secure") : (plainName, "")
    return "\(name)=\(secret); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax\(secure)"
  }
}

extension Hummingbird.Response {
  /// Sets the cookie of a session.
  /// - Parameters:
  ///   - secret: the session's secret; empty to sign out.
  ///   - seconds: how long the browser keeps it; as long as an unused session lasts if nil.
  ///   - request: the request, which may be encrypted.
  mutating func setSession(
    _ secret: some StringProtocol,
    for seconds: Int? = nil,
    to request: Hummingbird.Request
  ) {
    let seconds = seconds ?? Int(AccessControl.idleLimit)
    let header = SessionCookie.header(secret, for: seconds, isSecure: request.isSecure)
    headers.append(.init(name: .setCookie, value: header))
  }
}
