// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxStore

/// The cookie that names a reader's library: 256 bits by chance, and nothing that tells who the reader is.
struct LibraryCookie: Equatable, Sendable {
  static let name = "library"
  /// 400 days, the longest that browsers keep a cookie; each visit renews it.
  private static let age = 400 * 24 * 3600
  private static let length = 32

  /// The 32 bytes of the key.
  let key: [UInt8]

  /// A key that nobody has had.
  init() {
    var random = SystemRandomNumberGenerator()
    key = (0..<Self.length).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// The key in a request's cookies, or nothing where there is none of the right form.
  init?(of request: Request) {
    guard let value = request.cookies[Self.name]?.value else { return nil }
    self.init(value: value)
  }

  /// The key that a cookie's value spells, or nothing where it is not of the right form.
  init?(value: String) {
    guard value.utf8.count == 43 else { return nil }
    let standard = value.replacing("-", with: "+").replacing("_", with: "/") + "="
    guard let data = Data(base64Encoded: standard), data.count == Self.length else { return nil }
    key = [UInt8](data)
  }

  /// Under which the library is stored.
  var libraryName: LibraryName { LibraryName(key: key) }

  /// The header that gives the cookie to a browser.
  /// - Parameter isSecure: whether the reader's connection is encrypted, so that the cookie must never go another way.
  func header(isSecure: Bool) -> String {
    let secure = isSecure ? "; Secure" : ""
    return "\(Self.name)=\(Data(key).base64URL); Path=/; Max-Age=\(Self.age); HttpOnly; SameSite=Lax\(secure)"
  }
}

extension Request {
  /// Whether the reader's connection is encrypted, as a proxy before us says.
  var isSecure: Bool { head.isSecure }
}

extension HTTPRequest {
  private static let forwardedScheme = HTTPField.Name("X-Forwarded-Proto")

  /// Whether the reader's connection is encrypted, as a proxy before us says.
  var isSecure: Bool {
    Self.forwardedScheme.flatMap { headerFields[$0] }?.lowercased() == "https"
  }
}
