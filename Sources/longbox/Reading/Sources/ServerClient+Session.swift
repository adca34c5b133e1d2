// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxServer
import LongboxStore

extension ServerClient {
  /// A client of the server that runs on a data folder, with the proof that its own user asks; nil if none runs there.
  init?(of data: URL) {
    guard let server = ServerAddress(of: data) else { return nil }
    self.init(server: server)
    if let bytes = try? PrivateFile.read(Self.keyFile(in: data)), bytes.count <= 64 {
      machineKey = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// The file in which a server writes the key of this machine's user, while it runs; its mode is 0600.
  static func keyFile(in data: URL) -> URL {
    data.appending(path: "server.key", directoryHint: .notDirectory)
  }

  /// The name of the library's cookie, which depends on whether the connection is encrypted.
  var libraryName: String {
    server.isSecure ? "__Host-library" : "library"
  }

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
