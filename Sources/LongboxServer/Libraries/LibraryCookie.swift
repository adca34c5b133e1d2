// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxReaders
import LongboxStore

/// The cookie that names a reader's library: 256 random bits, with no information about the reader.
struct LibraryCookie: Equatable, Sendable {
  static let name = "library"
  /// 400 days, the maximum lifetime that browsers allow; each visit renews it.
  private static let age = 400 * 24 * 3600

  let key: ReaderKey

  /// Creates a cookie, by default with a new random key.
  init(key: ReaderKey = ReaderKey()) {
    self.key = key
  }

  /// Reads the cookie of a request; nil if it is missing or malformed.
  init?(of request: Request) {
    guard let value = request.cookies[Self.name]?.value else { return nil }
    self.init(value: value)
  }

  /// Whether a request may have the cookie; a session's cookie alone doesn't count.
  static func mayBe(in head: HTTPRequest) -> Bool {
    guard let field = head.headerFields[.cookie] else { return false }
    return field.contains("\(name)=")
  }

  /// Parses a cookie's value; nil if it is malformed.
  init?(value: String) {
    guard let key = ReaderKey(text: value) else { return nil }
    self.key = key
  }

  /// The cookie's value.
  var value: String { key.text }

  var libraryName: LibraryName { key.libraryName }

  /// The `Set-Cookie` value.
  /// - Parameter isSecure: whether the reader's connection is encrypted, so that the cookie gets `Secure`.
  func header(isSecure: Bool) -> String {
    let secure = isSecure ? "; Secure" : ""
    return "\(Self.name)=\(value); Path=/; Max-Age=\(Self.age); HttpOnly; SameSite=Lax\(secure)"
  }
}

extension Response {
  /// The response with a library's cookie, if there is one to set.
  func setting(_ cookie: LibraryCookie?, isSecure: Bool) -> Response {
    guard let cookie else { return self }
    var response = self
    response.headers.append(.init(name: .setCookie, value: cookie.header(isSecure: isSecure)))
    return response
  }
}

extension Request {
  /// Whether the reader's connection is encrypted.
  var isSecure: Bool { head.isSecure }
}

extension HTTPRequest {
  /// Whether the reader's connection is encrypted, by this server or according to a proxy; see ``Forwarding``.
  var isSecure: Bool { scheme == "https" }
}
