// Longbox
// SPDX-License-Identifier: MIT

extension ServerClient {
  /// Sets the session's cookie.
  mutating func keepSession(_ secret: String?) {
    guard let secret else { return }
    cookies[sessionName] = secret
  }

  /// The name of the session's cookie, which depends on whether the connection is encrypted.
  var sessionName: String {
    server.isSecure ? "__Host-longbox-session" : "longbox-session"
  }
}
