// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxPush
import LongboxReaders
import LongboxStore

/// The cookie that names a reader's library: 256 bits by chance, and nothing that tells who the reader is.
struct LibraryCookie: Equatable, Sendable {
  static let name = "library"
  /// 400 days, the longest that browsers keep a cookie; each visit renews it.
  private static let age = 400 * 24 * 3600

  /// What it carries.
  let key: ReaderKey

  /// Carries a key, by default one that nobody has had.
  init(key: ReaderKey = ReaderKey()) {
    self.key = key
  }

  /// The key in a request's cookies, or nothing where there is none of the right form.
  init?(of request: Request) {
    guard let value = request.cookies[Self.name]?.value else { return nil }
    self.init(value: value)
  }

  /// The key that a cookie's value spells, or nothing where it is not of the right form.
  init?(value: String) {
    guard value.utf8.count == 43, let key = Base64URL.decode(value).flatMap({ ReaderKey($0) }) else {
      return nil
    }
    self.key = key
  }

  /// Under which the library is stored.
  var libraryName: LibraryName { key.libraryName }

  /// The header that gives the cookie to a browser.
  /// - Parameter isSecure: whether the reader's connection is encrypted, so that the cookie must never go another way.
  func header(isSecure: Bool) -> String {
    let secure = isSecure ? "; Secure" : ""
    let value = Base64URL.encode(key.bytes)
    return "\(Self.name)=\(value); Path=/; Max-Age=\(Self.age); HttpOnly; SameSite=Lax\(secure)"
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
