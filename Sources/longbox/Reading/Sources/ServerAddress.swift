// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore
import LongboxUpstream

/// The address of another Longbox, or of the server that runs on this machine's data folder.
struct ServerAddress: Equatable, Sendable {
  /// The file in which a server notes its address, while it runs.
  static let fileName = "server.address"

  let address: WebAddress

  /// Reads an address such as `https://comics.example.org/longbox`.
  /// - Throws: `ReaderError.usage`.
  init(_ text: String) throws {
    let plain = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let address = WebAddress(plain), !address.target.contains("?") else {
      throw ReaderError.usage(
        "“\(text)” is not the address of a Longbox. Write it as https://comics.example.org."
      )
    }
    self.address = address
  }

  /// The address that a running server has noted in its data folder; nil if there is none.
  init?(of data: URL) {
    guard let bytes = try? PrivateFile.read(Self.file(in: data)), bytes.count <= 2048
    else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    try? self.init(text)
  }

  static func file(in data: URL) -> URL { data.appending(path: fileName, directoryHint: .notDirectory) }

  /// The address by which this machine reaches a server; a server that listens everywhere also listens on loopback.
  static func onThisMachine(_ address: String) -> String {
    ["://0.0.0.0:", "://[::]:"].reduce(address) {
      $0.replacingOccurrences(of: $1, with: "://127.0.0.1:")
    }
  }

  /// The base path without a slash at its end: empty, or `/longbox`.
  var path: String { address.target == "/" ? "" : address.target }

  /// The address of something below it.
  func url(_ target: String) -> String { address.origin.description + path + target }

  var isSecure: Bool { address.origin.scheme == .https }

  /// Scheme, host and port, as in the `Origin` of a form.
  var origin: String { address.origin.description }

  /// The name of this server's folder for copies: letters, digits, dots and underscores.
  var folderName: String {
    (origin + path).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? String($0) : "_" }
      .joined()
  }
}

extension ServerAddress: CustomStringConvertible {
  var description: String { origin + path }
}
