// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxReaders
import LongboxStore

/// The cookie that names a reader's library: 256 random bits, with no information about the reader.
struct LibraryCookie: Equatable, Sendable {
  /// Browsers take a cookie with this prefix only by HTTPS, and no other host or path can have set it (RFC 6265bis,
  /// section 4.1.3.2).
  static let secureName = "__Host-library"
  /// The name without HTTPS, where browsers reject the prefix.
  ///
  /// Earlier versions had it by HTTPS, too. There it counts only until the reader has the other, and is then removed.
  static let plainName = "library"
  /// 400 days, the maximum lifetime that browsers allow; each visit renews it.
  private static let age = 400 * 24 * 3600

  let key: ReaderKey

  /// Creates a cookie, by default with a new random key.
  init(key: ReaderKey = ReaderKey()) {
    self.key = key
  }

  /// Reads the cookie of a request; nil if it is missing or malformed.
  init?(of request: Request) {
    let values = [request.isSecure ? Self.secureName : nil, Self.plainName].compactMap { name in
      name.flatMap { request.cookies[$0]?.value }
    }
    guard let value = values.first else { return nil }
    self.init(value: value)
  }

  /// Whether a request may have the cookie; a session's cookie alone doesn't count.
  static func mayBe(in head: HTTPRequest) -> Bool {
    guard let field = head.headerFields[.cookie] else { return false }
    return field.contains("\(plainName)=")
  }

  /// Parses a cookie's value; nil if it is malformed.
  init?(value: String) {
    guard let key = ReaderKey(text: value) else { return nil }
    self.key = key
  }

  var value: String { key.text }

  var libraryName: LibraryName { key.libraryName }

  /// The `Set-Cookie` value.
  /// - Parameter isSecure: whether the reader's connection is encrypted, so that the cookie gets `Secure`.
  func header(isSecure: Bool) -> String {
    let (name, secure) = isSecure ? (Self.secureName, "; Secure") : (Self.plainName, "")
    return "\(name)=\(value); Path=/; Max-Age=\(Self.age); HttpOnly; SameSite=Lax\(secure)"
  }

  /// The `Set-Cookie` value that removes the cookie of an earlier version.
  static let removal = "\(plainName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
}

extension Response {
  /// The response with a library's cookie, if there is one to set.
  func setting(_ cookie: LibraryCookie?, to request: Request) -> Response {
    guard let cookie else { return self }
    var response = self
    response.headers.append(.init(name: .setCookie, value: cookie.header(isSecure: request.isSecure)))
    let cookies = request.cookies
    if request.isSecure, cookies[LibraryCookie.secureName] == nil, cookies[LibraryCookie.plainName] != nil {
      response.headers.append(.init(name: .setCookie, value: LibraryCookie.removal))
    }
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
