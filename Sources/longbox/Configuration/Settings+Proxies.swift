// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import LongboxServer

extension Settings {
  /// Where readers find the server, from its base path and its public address.
  static func site(_ reader: ConfigReader) throws -> SiteAddress {
    let path = try reader.string(forKey: "basePath").flatMap { $0.isEmpty ? nil : $0 }.map {
      try basePath($0)
    }
    guard let url = reader.string(forKey: "publicUrl"), !url.isEmpty else {
      return SiteAddress(basePath: path ?? BasePath())
    }
    guard var address = PublicAddress(url: url) else {
      throw SettingsError(
        key: "publicUrl",
        value: url,
        expected: "an address such as https://comics.example.org or https://example.org/longbox"
      )
    }
    if let path {
      if address.basePath.isEmpty { address.basePath = path }
      guard address.basePath == path else {
        throw SettingsError(
          key: "publicUrl",
          value: url,
          expected: "an address with the path \(path.text), which LONGBOX_BASE_PATH names, or without a path"
        )
      }
    }
    return SiteAddress(address)
  }

  private static func basePath(_ text: String) throws -> BasePath {
    guard let path = BasePath(text) else {
      throw SettingsError(
        key: "basePath",
        value: text,
        expected: "a path such as /longbox, of letters, digits and the signs - _ . ~"
      )
    }
    return path
  }

  /// The header field in which trusted proxies name whom they have signed in.
  static func remoteUserField(_ reader: ConfigReader, proxies: TrustedProxies) throws -> RemoteUserField? {
    guard let name = reader.string(forKey: "remoteUserHeader"), !name.isEmpty else { return nil }
    guard let field = RemoteUserField(name) else {
      throw SettingsError(
        key: "remoteUserHeader",
        value: name,
        expected: "the name of a header field that only your proxy sends, such as Remote-User"
      )
    }
    guard !proxies.isEmpty else {
      throw SettingsError(
        key: "remoteUserHeader",
        value: name,
        expected:
          "empty unless LONGBOX_TRUSTED_PROXIES lists your proxy, since every client can send this field"
      )
    }
    return field
  }
}
