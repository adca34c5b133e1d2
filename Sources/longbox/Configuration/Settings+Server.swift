// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import Logging
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
    server.frameAncestors = frameAncestors
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

  /// The sites in a comma-separated list.
  static func frameAncestors(_ text: String?) throws -> FrameAncestors {
    var ancestors = FrameAncestors()
    for part in (text ?? "").split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      guard ancestors.add(String(part)) else {
        throw SettingsError(
          key: "frameAncestors",
          value: String(part),
          expected: """
            the scheme, the host and the port of a site, such as https://dash.example.org or http://192.168.1.5:8080 \
            (at most \(FrameAncestors.most), with commas between them), or * for all sites; browsers take no IPv6 address there
            """
        )
      }
    }
    return ancestors
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

  /// The operator's hooks for new comics; nil for none.
  /// - Throws: `SettingsError`, which says what is wrong without the secrets in addresses.
  static func hooks(_ reader: ConfigReader) throws -> HookSender? {
    let secret = reader.string(forKey: "hooksSecret").flatMap { $0.isEmpty ? nil : $0 }
    if let secret, secret.utf8.count < 16 {
      throw SettingsError(key: "hooksSecret", value: "…", expected: "at least 16 characters long")
    }
    let showsAltText = try flag(reader.string(forKey: "hooksAltText"), key: "hooksAltText") ?? false
    let addresses = (list(reader, "hooks") ?? "").split { $0 == "," || $0.isWhitespace }
    guard addresses.count <= Hook.most else {
      throw SettingsError(
        key: "hooks",
        value: "\(addresses.count) addresses",
        expected: "at most \(Hook.most) of them"
      )
    }
    let hooks = try addresses.enumerated().map { index, address in
      do throws(HookAddressProblem) {
        return try Hook(String(address), showsAltText: showsAltText)
      } catch {
        // The address has secrets, so only its scheme is shown.
        let scheme = error.scheme.isEmpty ? "an address of no known service" : "\(error.scheme)://…"
        throw SettingsError(
          key: "hooks",
          value: "\(scheme) (number \(index + 1))",
          expected: "spelled as \(error.expected); docs/hooks.md explains each"
        )
      }
    }
    return hooks.isEmpty ? nil : HookSender(hooks, secret: secret, userAgent: "Longbox/\(Longbox.version)")
  }

  /// How much commands log.
  var logLevel: Logger.Level { logs.level }

  /// How much each module logs: a level, or several parts of which those with `=` are for one module.
  static func logs(_ reader: ConfigReader) throws -> Logs {
    var logs = Logs()
    let text = list(reader, "log") ?? "notice"
    let modules = Logs.Module.allCases.map(\.rawValue).joined(separator: ", ")
    let error = SettingsError(
      key: "log",
      value: text,
      expected:
        "one of debug, info, notice, warning, error, and perhaps levels of modules (\(modules)): notice,sources=debug"
    )
    for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard let level = words.last.flatMap(Logger.Level.init(rawValue:)), words.count <= 2 else {
        throw error
      }
      if words.count == 1 {
        logs.level = level
      } else {
        guard let module = Logs.Module(rawValue: words[0]) else { throw error }
        logs.levels[module] = level
      }
    }
    let format = reader.string(forKey: "logFormat", default: "text")
    guard let known = Logs.Format(rawValue: format.lowercased()) else {
      throw SettingsError(key: "logFormat", value: format, expected: "text or json")
    }
    logs.format = known
    return logs
  }

  /// Whether `/metrics` is answered to this machine.
  static func metrics(_ reader: ConfigReader) throws -> Bool {
    let reach = reader.string(forKey: "metrics", default: "off")
    switch reach.lowercased() {
    case "off", "false", "no": return false
    case "loopback": return true
    default: throw SettingsError(key: "metrics", value: reach, expected: "off or loopback")
    }
  }

  /// How requests are logged on stdout; nil for not at all.
  static func accessLog(_ reader: ConfigReader) throws -> AccessLogSettings? {
    let addresses = reader.string(forKey: "accessLogAddresses", default: "network").lowercased()
    guard ["network", "full"].contains(addresses) else {
      throw SettingsError(key: "accessLogAddresses", value: addresses, expected: "network or full")
    }
    let format = reader.string(forKey: "accessLog", default: "off").lowercased()
    if ["off", "false", "no"].contains(format) { return nil }
    guard let format = AccessLogSettings.Format(rawValue: format) else {
      throw SettingsError(key: "accessLog", value: format, expected: "combined, json or off")
    }
    return AccessLogSettings(format: format, hasFullAddresses: addresses == "full") { bytes in
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }
  }

  /// The folder for daily backups; nil for none.
  static func backups(_ reader: ConfigReader) throws -> BackupFolder? {
    let text = reader.string(forKey: "backupsKeep", default: "7")
    guard let kept = Int(text), (1...1000).contains(kept) else {
      throw SettingsError(key: "backupsKeep", value: text, expected: "a number from 1 to 1000")
    }
    guard let path = reader.string(forKey: "backups"), !path.isEmpty else { return nil }
    let location = URL(filePath: NSString(string: path).expandingTildeInPath, directoryHint: .isDirectory)
    return BackupFolder(location, keeping: kept)
  }

  static func limits(_ reader: ConfigReader) throws -> Limits {
    var limits = Limits()
    for limit in Limit.all {
      let key = "limits.\(limit.name)"
      guard let text = reader.string(forKey: ConfigKey(key)) else { continue }
      guard limit.set(text, in: &limits) else {
        throw SettingsError(key: key, value: text, expected: limit.expected)
      }
    }
    return limits
  }
}
