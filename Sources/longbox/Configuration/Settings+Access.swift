// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import LongboxServer

extension Settings {
  /// The file that `longbox setup` writes into the data folder.
  static let fileName = "longbox.yaml"

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
