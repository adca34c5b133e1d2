// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxPages
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

/// The key in a `Longbox-Machine-Key` field, by which the command line proves that it is used by the server's own user.
///
/// The server writes the key into a file of its data folder with mode 0600, and makes another at each start.
public enum MachineKeyField {
  /// The name of the field.
  public static let name = "Longbox-Machine-Key"

  private static let fieldName = HTTPField.Name(name)

  static func key(in head: HTTPRequest) -> String? {
    fieldName.flatMap { head.headerFields[$0] }
  }
}

/// The access key in an `Authorization` field: the password of Basic (RFC 7617) or a Bearer token (RFC 6750).
enum AccessKeyField {
  static func secret(in head: HTTPRequest) -> String? {
    guard let field = head.headerFields[.authorization], field.utf8.count <= 1024 else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "bearer": return String(parts[1])
    case "basic":
      guard let data = Data(base64Encoded: String(parts[1])) else { return nil }
      let text = String(decoding: data, as: UTF8.self)
      guard let colon = text.firstIndex(of: ":") else { return nil }
      return String(text[text.index(after: colon)...])
    default: return nil
    }
  }
}

/// The browser and device in a `User-Agent`, in words that people know.
struct BrowserName: Equatable, Sendable {
  /// Such as "Firefox on Android".
  let text: String
  /// The platform whose steps the start page shows first.
  let platform: StartOffer.Platform?

  init(_ agent: String?) {
    let agent = agent ?? ""
    func has(_ word: String) -> Bool { agent.contains(word) }
    let browser: String? =
      if has("Edg") { "Edge" } else if has("Firefox/") || has("FxiOS") { "Firefox" } else if has("OPR/") {
        "Opera"
      } else if has("SamsungBrowser") { "Samsung Internet" } else if has("Chrome/") || has("CriOS") {
        "Chrome"
      } else if has("Safari/") { "Safari" } else { nil }
    let system: (name: String, platform: StartOffer.Platform)? =
      if has("iPhone") { ("iPhone", .apple) } else if has("iPad") { ("iPad", .apple) } else if has("Android")
      {
        ("Android", browser == "Firefox" ? .androidFirefox : .android)
      } else if has("Windows") { ("Windows", .windows) } else if has("Macintosh") {
        ("Mac", .mac)
      } else if has("Linux") || has("CrOS") { ("Linux", .linux) } else { nil }
    platform = system?.platform
    text =
      switch (browser, system?.name) {
      case (let browser?, let system?): "\(browser) on \(system)"
      case (let browser?, nil): browser
      case (nil, let system?): "A browser on \(system)"
      case (nil, nil): "A browser"
      }
  }
}
