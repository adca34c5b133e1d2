// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes

/// The header fields in which proxies name their clients.
enum ForwardedFields {
  static let standard = HTTPField.Name("Forwarded")
  static let clients = HTTPField.Name("X-Forwarded-For")
  static let schemes = HTTPField.Name("X-Forwarded-Proto")
  static let hosts = HTTPField.Name("X-Forwarded-Host")
  /// Those in which a proxy names the path that it has removed from the address; Home Assistant has the second one.
  static let prefixes = [HTTPField.Name("X-Forwarded-Prefix"), HTTPField.Name("X-Ingress-Path")].compactMap(
    \.self
  )
  /// The client of a request that a trusted proxy passed on.
  ///
  /// It is our own field: ``Forwarding`` sets it, and removes what clients send.
  static let client = HTTPField.Name("Longbox-Client")
  /// The user that a trusted proxy has signed in; our own field, too.
  static let user = HTTPField.Name("Longbox-User")

  /// Those that ``Forwarding`` reads.
  static let all = [standard, clients, schemes, hosts].compactMap(\.self)

  /// Our own fields.
  static let own = [client, user].compactMap(\.self)

  /// Whether a field is one of ``all`` or our own.
  static func contain(_ name: HTTPField.Name) -> Bool {
    // Nearly all other fields differ in their first letter.
    switch name.canonicalName.utf8.first {
    case UInt8(ascii: "f"), UInt8(ascii: "x"), UInt8(ascii: "l"): all.contains(name) || own.contains(name)
    default: false
    }
  }
}

extension HTTPFields {
  /// The values of a field, with commas between them; nil if it is missing.
  func value(_ name: HTTPField.Name?) -> String? { name.flatMap { self[$0] } }
}

extension HTTPRequest {
  /// The client, if a trusted proxy passed the request on.
  var forwardedClient: IPAddress? {
    // Reading through them costs less than the index that a look-up by name makes.
    headerFields.first { $0.name == ForwardedFields.client }.flatMap { IPAddress(text: $0.value) }
  }

  /// The path that a proxy says it has removed from the address; nil if it names none.
  var removedPrefix: String? {
    headerFields.first { ForwardedFields.prefixes.contains($0.name) }.map(\.value)
      .flatMap { $0.isEmpty || $0 == "/" ? nil : $0 }
  }

  /// Whether a trusted proxy has signed the reader in.
  var isSignedInByProxy: Bool {
    headerFields.contains { $0.name == ForwardedFields.user }
  }
}
