// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import Logging
import LongboxCatalog
import LongboxCore
import LongboxPush
import LongboxServer
import LongboxStore
import LongboxUpstream
import SystemPackage

/// The validated configuration.
///
/// ## Configuration keys
/// - `data` (string, default `$XDG_DATA_HOME/longbox`): the data folder.
/// - `database` (string): the PostgreSQL database that has everything, in place of SQLite in the data folder.
/// - `host` (string, default `127.0.0.1`), `port` (int, default 8353; 0 for any): the listening address.
/// - `limits.…`: how much clients may use, see `Limit`.
/// - `hostNames` (string): the operator's names of this machine, comma-separated, for `Host`, certificates and
///   redirects.
/// - `trustedProxies` (string): the addresses and networks of proxies that are believed about their clients,
///   comma-separated.
/// - `remoteUserHeader` (string): the header field in which these proxies name whom they have signed in.
/// - `basePath` (string): the path below which the site is, such as `/longbox`.
/// - `publicUrl` (string): the address by which readers reach the site, with its base path; its host is one of
///   `hostNames`, too.
/// - `tls` (string, default `auto`): `auto` for a certificate of the household's own authority, `files`, or `off`;
///   without effect on loopback. `tlsCertificate`, `tlsKey` (string): the files for `files`.
/// - `passphraseFile` (string): a file with the passphrase for signing in.
/// - `open` (bool, default false): whether everybody in the network has access without signing in.
/// - `ownPictures` (bool, default false): whether records at xkcd's own addresses name this server's pictures.
/// - `frameAncestors` (string): the sites whose pages may show comics in frames, comma-separated.
/// - `contact` (string): the operator's e-mail address or URL, sent to the sources in the User-Agent.
/// - `xkcd.url`, `xkcd.images.url` (string): the addresses of xkcd and its pictures.
/// - `xkcd.rate` (double, default 2): maximum requests per second to xkcd; above 2 only for recorded data.
/// - `explain.url` (string): the address of explain xkcd's `api.php`.
/// - `explain.rate` (double, default 0.5): the same for explain xkcd; above 0.5 only for recorded data.
/// - `itunes.url`, `artwork.url` (string): the addresses of the iTunes Store and its covers.
/// - `itunes.rate` (int, default 15): maximum calls per minute to it; above that only for recorded data.
/// - `wikipedia.url` (string), `wikipedia.language` (string, default `en`): the Wikipedia for articles about
///   albums. It is used only with a `contact`.
/// - `country` (string, default `us`): the default store.
/// - `covers` (bool, default true): whether covers are fetched and shown.
/// - `fill` (bool, default true): whether everything is fetched in the background.
/// - `poll` (double): seconds between checks for a new comic instead of the usual schedule, for development.
/// - `push.services` (string): trusted push services as comma-separated origins; they may have private
///   addresses or use plain http.
/// - `hooks` (string): the addresses to tell of new comics, comma-separated; `hooksAltText` (bool, default false): whether
///   with the alt text; `hooksSecret` (string): signs what plain ones get.
/// - `log` (string, default `notice`): the log level, and perhaps other levels of modules: `notice,sources=debug`.
/// - `logFormat` (string, default `text`): `json` for a JSON object a line.
/// - `metrics` (string, default `off`): `loopback` to answer `/metrics` to this machine.
/// - `accessLog` (string, default `off`): `combined` or `json` to log each request on stdout.
/// - `backups` (string): the folder for daily backups; `backupsKeep` (int, default 7): how many are kept.
/// - `accessLogAddresses` (string, default `network`): `full` to log complete addresses of clients.
///
/// The environment variable of a key has `LONGBOX_` before it, capitals, and `_` for dots and before
/// inner capitals: `LONGBOX_HOST_NAMES`.
struct Settings {
  let data: URL
  let store: StoreLocation
  let host: String
  let port: Int
  let limits: Limits
  let hostNames: [String]
  let trustedProxies: TrustedProxies
  let remoteUserField: RemoteUserField?
  let site: SiteAddress
  let tls: TLSSettings
  let passphraseFile: String?
  let isOpen: Bool
  let namesOwnPictures: Bool
  let frameAncestors: FrameAncestors
  let contact: String?
  let userAgent: UserAgent
  let addresses: XkcdAddresses
  let pace: Pace
  let explainAddress: ExplainAddress
  let explainPace: Pace
  let itunesAddresses: ITunesAddresses
  let itunesRate: Int
  let wikipediaAddress: WikipediaAddress?
  let albums: Albums.Settings
  let fills: Bool
  let schedule: PollSchedule
  let pushServices: Set<PushEndpoint.Origin>
  let hooks: HookSender?
  let logs: Logs
  let countsMetrics: Bool
  let accessLog: AccessLogSettings?
  let backups: BackupFolder?

  /// Reads and validates the settings.
  /// - Throws: `SettingsError` or `SettingError`, which says what is wrong and what to do.
  init(_ reader: ConfigReader, environment: [String: String]) throws {
    data = try Self.dataFolder(reader.string(forKey: "data"), environment: environment)
    store = StoreLocation(data, database: try Self.database(reader.string(forKey: "database")))
    host = reader.string(forKey: "host", default: "127.0.0.1")
    port = try Self.port(reader.string(forKey: "port"))
    limits = try Self.limits(reader)
    site = try Self.site(reader)
    hostNames = try Self.hostNames(Self.list(reader, "hostNames"), and: site)
    trustedProxies = try Self.trustedProxies(Self.list(reader, "trustedProxies"))
    remoteUserField = try Self.remoteUserField(reader, proxies: trustedProxies)
    tls = try Self.tls(reader, data: data)
    passphraseFile = reader.string(forKey: "passphraseFile").flatMap { $0.isEmpty ? nil : $0 }
    isOpen = try Self.flag(reader.string(forKey: "open"), key: "open") ?? false
    namesOwnPictures = try Self.flag(reader.string(forKey: "ownPictures"), key: "ownPictures") ?? false
    frameAncestors = try Self.frameAncestors(Self.list(reader, "frameAncestors"))
    contact = reader.string(forKey: "contact").flatMap { $0.isEmpty ? nil : $0 }
    userAgent = try UserAgent(version: Longbox.version, contact: contact)
    addresses = try XkcdAddresses(
      site: reader.string(forKey: "xkcd.url"),
      images: reader.string(forKey: "xkcd.images.url")
    )
    let rate =
      try Self.rate(reader, "xkcd.rate", of: .xkcd, at: [addresses.site, addresses.images], atMost: 2) ?? 2
    pace = Pace(interval: .seconds(1 / rate), burst: 1, readerBurst: Source.xkcd.pace.readerBurst)
    explainAddress = try ExplainAddress(api: reader.string(forKey: "explain.url"))
    let explainRate = try Self.rate(
      reader,
      "explain.rate",
      of: .explain,
      at: [explainAddress.api],
      atMost: 0.5
    )
    explainPace = explainRate.map { Pace(interval: .seconds(1 / $0), burst: 1) } ?? Source.explain.pace
    itunesAddresses = try ITunesAddresses(
      site: reader.string(forKey: "itunes.url"),
      artwork: reader.string(forKey: "artwork.url")
    )
    let calls = try Self.rate(
      reader,
      "itunes.rate",
      of: .itunes,
      at: [itunesAddresses.site],
      atMost: Double(ITunesClient.callsPerMinute)
    )
    itunesRate = calls.map { max(1, Int($0)) } ?? ITunesClient.callsPerMinute
    let wikipedia = try WikipediaAddress(
      api: reader.string(forKey: "wikipedia.url"),
      language: reader.string(forKey: "wikipedia.language")
    )
    wikipediaAddress = (contact ?? "").isEmpty ? nil : wikipedia
    albums = try Self.albums(reader)
    fills = try Self.flag(reader.string(forKey: "fill"), key: "fill") ?? true
    schedule = PollSchedule(every: try Self.positive(reader.string(forKey: "poll"), key: "poll"))
    pushServices = try Self.services(Self.list(reader, "push.services"))
    hooks = try Self.hooks(reader)
    logs = try Self.logs(reader)
    countsMetrics = try Self.metrics(reader)
    accessLog = try Self.accessLog(reader)
    backups = try Self.backups(reader)
  }

  private static func albums(_ reader: ConfigReader) throws -> Albums.Settings {
    let country = reader.string(forKey: "country", default: "us")
    guard let known = StoreCountry(Text(string: country)) else {
      throw SettingsError(
        key: "country",
        value: country,
        expected: "the two letters of a country, such as gb"
      )
    }
    return Albums.Settings(
      country: known,
      showsArtwork: try flag(reader.string(forKey: "covers"), key: "covers") ?? true
    )
  }

  static func dataFolder(_ path: String?, environment: [String: String]) throws -> URL {
    if let path, !path.isEmpty {
      return URL(filePath: NSString(string: path).expandingTildeInPath, directoryHint: .isDirectory)
    }
    if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") {
      return URL(filePath: home, directoryHint: .isDirectory).appending(
        path: "longbox",
        directoryHint: .isDirectory
      )
    }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw SettingsError(key: "data", value: "", expected: "a folder, since there is no HOME to put one in")
    }
    return URL(filePath: home, directoryHint: .isDirectory)
      .appending(path: ".local/share/longbox", directoryHint: .isDirectory)
  }

  static func database(_ text: String?) throws -> PostgresAddress? {
    guard let text, !text.isEmpty else { return nil }
    guard let address = PostgresAddress(text) else {
      // What is wrong may be a password, so it is not shown.
      throw SettingsError(key: "database", value: "…", expected: "an address such as postgresql://host/name")
    }
    return address
  }

  private static func port(_ text: String?) throws -> Int {
    guard let text else { return 8353 }
    guard let port = Int(text), (0...65535).contains(port) else {
      throw SettingsError(key: "port", value: text, expected: "a number from 0 to 65535")
    }
    return port
  }

  private static func services(_ text: String?) throws -> Set<PushEndpoint.Origin> {
    let names = (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return Set(
      try names.map { name in
        guard let service = PushEndpoint.Origin(name) else {
          throw SettingsError(
            key: "push.services",
            value: name,
            expected: "a scheme, a host and a port, such as https://push.example.org:8443"
          )
        }
        return service
      }
    )
  }

  /// A setting with several values, comma-separated: a text, or a list in a file.
  static func list(_ reader: ConfigReader, _ key: ConfigKey) -> String? {
    reader.string(forKey: key) ?? reader.stringArray(forKey: key)?.joined(separator: ",")
  }

  static func positive(_ text: String?, key: String) throws -> Double? {
    guard let text else { return nil }
    // Its reciprocal must fit a duration.
    guard let number = Double(text), (0.000_001...1_000_000).contains(number) else {
      throw SettingsError(key: key, value: text, expected: "a number from 0.000001 to 1000000")
    }
    return number
  }

  /// How fast to ask a source; nil for its usual rate.
  /// - Throws: `SettingsError` if it is more than the source itself allows.
  static func rate(
    _ reader: ConfigReader,
    _ key: String,
    of source: Source,
    at addresses: [WebAddress],
    atMost most: Double
  ) throws -> Double? {
    let text = reader.string(forKey: ConfigKey(key))
    guard let rate = try positive(text, key: key) else { return nil }
    let hosts = Set(source.ownOrigins.map(\.host))
    guard rate <= most || addresses.allSatisfy({ !hosts.contains($0.origin.host) }) else {
      throw SettingsError(
        key: key,
        value: text ?? "",
        expected:
          "at most \(most.formatted(.number.locale(Locale(identifier: "en_US")))) for the source itself"
      )
    }
    return rate
  }

  static func flag(_ text: String?, key: String) throws -> Bool? {
    switch text?.lowercased() {
    case nil: nil
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    case let other?: throw SettingsError(key: key, value: other, expected: "true or false")
    }
  }

  /// The file with the machine's settings, which the Debian package installs.
  static let machineFile = "/etc/longbox/longbox.yaml"

  /// Reads the settings from the command line, the environment and the files, in this order of precedence.
  ///
  /// A file that the command line or the environment names is the only one. Otherwise it is the one in the data folder, then
  /// that of the machine; each may be missing.
  /// - Parameters:
  ///   - options: the options that all commands have.
  ///   - further: the command's own options.
  ///   - machineFile: the file of the machine.
  /// - Throws: `SettingsError` or `SettingError`, which says what is wrong and what to do.
  static func read(
    _ options: Options,
    further: [AbsoluteConfigKey: ConfigValue] = [:],
    machineFile: String = Self.machineFile
  ) async throws -> Settings {
    try await read(
      config: options.dataOptions.config,
      options.values.merging(further) { $1 },
      machineFile: machineFile
    )
  }

  /// The same for a command that only reads.
  static func read(_ options: DataOptions) async throws -> Settings {
    try await read(config: options.config, options.values, machineFile: machineFile)
  }

  private static func read(
    config: String?,
    _ given: [AbsoluteConfigKey: ConfigValue],
    machineFile: String
  ) async throws -> Settings {
    let environment = ProcessInfo.processInfo.environment
    var providers: [any ConfigProvider] = [
      InMemoryProvider(name: "options", values: given),
      EnvironmentVariablesProvider().prefixKeys(with: "longbox"),
    ]
    if let file = config ?? environment["LONGBOX_CONFIG"] {
      providers.append(try await yaml(file))
      return try Settings(ConfigReader(providers: providers), environment: environment)
    }
    let machine = try await existingYAML(machineFile)
    // The data folder's own settings file can't say where the data folder is.
    let data = try dataFolder(
      ConfigReader(providers: providers + machine).string(forKey: "data"),
      environment: environment
    )
    providers += try await existingYAML(data.appending(path: fileName).path)
    providers += machine
    return try Settings(ConfigReader(providers: providers), environment: environment)
  }

  /// The settings in a file; none if it is missing.
  private static func existingYAML(_ file: String) async throws -> [any ConfigProvider] {
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    // Refuses a pipe, for whose other end the provider would wait.
    do { _ = try PrivateFile.read(URL(filePath: file)) } catch { throw unreadable(file, "\(error)") }
    return [try await yaml(file)]
  }

  private static func yaml(_ file: String) async throws -> any ConfigProvider {
    do {
      return try await FileProvider<YAMLSnapshot>(filePath: FilePath(file))
    } catch {
      throw unreadable(file, problem(of: error))
    }
  }

  /// Where the parser failed.
  ///
  /// Its own words quote the line, which may have a secret.
  private static func problem(of error: any Error) -> String {
    let words = "\(error)"
    guard let place = words.prefixMatch(of: #/(\d+):(\d+): error: /#) else {
      return words.split(separator: "\n").first.map(String.init) ?? ""
    }
    return "line \(place.1), column \(place.2) is not as YAML wants it"
  }

  private static func unreadable(_ file: String, _ problem: String) -> SettingsError {
    SettingsError(key: "config", value: file, expected: "a YAML file that can be read (\(problem))")
  }
}

struct SettingsError: Error, CustomStringConvertible {
  let key: String
  let value: String
  let expected: String

  var description: String {
    let variable = key.reduce(into: "LONGBOX_") { variable, letter in
      variable += letter == "." ? "_" : letter.isUppercase ? "_\(letter)" : letter.uppercased()
    }
    return "The setting “\(key)” (\(variable)) is “\(value)”; it must be \(expected)."
  }
}
