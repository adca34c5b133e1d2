// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import LongboxPush
import LongboxServer

extension Settings {
  /// The file that `longbox setup` writes into the data folder.
  static let fileName = "longbox.yaml"

  /// The settings of the server, without notifications.
  func server(setup: NetworkSetup? = nil) -> ServerSettings {
    var server = ServerSettings(host: host, port: port, version: Longbox.version)
    server.limits = limits
    server.hostNames = hostNames
    server.trustedProxies = trustedProxies
    server.remoteUserField = remoteUserField
    server.site = site
    server.accessLog = accessLog
    server.tls = tls
    server.isOpen = isOpen
    server.namesOwnPictures = namesOwnPictures
    server.setup = setup
    server.backups = backups
    server.contact = contact.map { PushContact($0) }
    server.hooks = hooks
    return server
  }

  /// Whether only this machine can reach the server.
  var isLoopback: Bool { ServerSettings(host: host).isLoopback }

  /// The names in a comma-separated list, in lower case.
  static func hostNames(_ text: String?) throws -> [String] {
    var names: [String] = []
    for part in (text ?? "").split(separator: ",") {
      let name = part.trimmingCharacters(in: .whitespaces).lowercased()
      guard HouseholdSetup.isHostName(name) else {
        throw SettingsError(
          key: "hostNames",
          value: name,
          expected: "names such as longbox.lan, separated by commas"
        )
      }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The names in a comma-separated list, and that of the site's public address.
  static func hostNames(_ text: String?, and site: SiteAddress) throws -> [String] {
    var names = try hostNames(text)
    if let name = site.publicName, !names.contains(name) { names.append(name) }
    return names
  }

  /// The addresses and networks in a comma-separated list.
  static func trustedProxies(_ text: String?) throws -> TrustedProxies {
    var proxies = TrustedProxies()
    for part in (text ?? "").split(separator: ",") {
      let proxy = part.trimmingCharacters(in: .whitespaces)
      guard proxies.add(proxy) else {
        throw SettingsError(
          key: "trustedProxies",
          value: proxy,
          expected: """
            the address or network of your proxy, such as 10.0.0.2 or fd00::/64 (several with commas between them), \
            and never everybody (/0), since every client could then give a false address
            """
        )
      }
    }
    return proxies
  }

  static func tls(_ reader: ConfigReader, data: URL) throws -> TLSSettings {
    let certificate = reader.string(forKey: "tlsCertificate").flatMap { $0.isEmpty ? nil : $0 }
    let key = reader.string(forKey: "tlsKey").flatMap { $0.isEmpty ? nil : $0 }
    let way = reader.string(forKey: "tls") ?? (certificate == nil ? "auto" : "files")
    switch way.lowercased() {
    case "off", "false", "no": return .off
    case "auto": return .household(folder: HouseholdAuthority.folder(in: data))
    case "files":
      guard let certificate else {
        throw SettingsError(
          key: "tlsCertificate",
          value: "",
          expected: "a PEM file, since LONGBOX_TLS is “files”"
        )
      }
      guard let key else {
        throw SettingsError(key: "tlsKey", value: "", expected: "a PEM file, since LONGBOX_TLS is “files”")
      }
      return .files(certificate: file(certificate), key: file(key))
    default: throw SettingsError(key: "tls", value: way, expected: "auto, files or off")
    }
  }

  private static func file(_ path: String) -> URL {
    URL(filePath: NSString(string: path).expandingTildeInPath)
  }
}
