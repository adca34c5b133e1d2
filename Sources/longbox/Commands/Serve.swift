// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Foundation
import Logging
import LongboxCatalog
import LongboxPush
import LongboxReaders
import LongboxServer
import LongboxStore
import LongboxUpstream

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the comics to browsers.",
    discussion: """
      Listens at http://127.0.0.1:8353 by default, and prints the address in one line when it is ready. What is \
      not stored yet is fetched from xkcd in the background, at most two requests a second. Stop it with Ctrl-C, or \
      SIGTERM: what is under way has ten seconds to finish.
      """
  )

  @Option(help: ArgumentHelp("The address to listen at. [LONGBOX_HOST]", valueName: "host"))
  var host: String?

  @Option(help: ArgumentHelp("The port to listen at; 0 for any. [LONGBOX_PORT]", valueName: "port"))
  var port: String?

  @Option(
    help: ArgumentHelp(
      "Whether to fetch everything in the background: true or false. [LONGBOX_FILL]",
      valueName: "flag"
    ),
    completion: .list(["true", "false"])
  )
  var fill: String?

  @Option(
    help: ArgumentHelp(
      "HTTPS beyond this machine: auto, files or off. [LONGBOX_TLS]",
      valueName: "way"
    ),
    completion: .list(["auto", "files", "off"])
  )
  var tls: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file with the server's certificate. [LONGBOX_TLS_CERTIFICATE]",
      valueName: "file"
    ),
    completion: .file()
  )
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("A PEM file with the certificate's key. [LONGBOX_TLS_KEY]", valueName: "file"),
    completion: .file()
  )
  var tlsKey: String?

  @Option(
    name: .customLong("host-name"),
    help: ArgumentHelp("A name of this machine; may be repeated. [LONGBOX_HOST_NAMES]", valueName: "name")
  )
  var hostNames: [String] = []

  @Option(
    name: .customLong("trusted-proxy"),
    help: ArgumentHelp(
      "The address or network of a proxy that is believed about its clients; may be repeated. [LONGBOX_TRUSTED_PROXIES]",
      valueName: "address"
    )
  )
  var trustedProxies: [String] = []

  @Option(
    help: ArgumentHelp(
      "The header in which a trusted proxy names the reader that it signed in. [LONGBOX_REMOTE_USER_HEADER]",
      valueName: "name"
    )
  )
  var remoteUserHeader: String?

  @Option(
    help: ArgumentHelp(
      "The path below which Longbox is, such as /longbox. [LONGBOX_BASE_PATH]",
      valueName: "path"
    )
  )
  var basePath: String?

  @Option(
    help: ArgumentHelp(
      "The address by which readers reach Longbox, for feeds and other links to it. [LONGBOX_PUBLIC_URL]",
      valueName: "url"
    )
  )
  var publicUrl: String?

  @Option(
    help: ArgumentHelp(
      "A file with the passphrase for signing in. [LONGBOX_PASSPHRASE_FILE]",
      valueName: "file"
    ),
    completion: .file()
  )
  var passphraseFile: String?

  @Option(
    help: ArgumentHelp(
      "Log each request on stdout: combined, json or off. [LONGBOX_ACCESS_LOG]",
      valueName: "format"
    ),
    completion: .list(["combined", "json", "off"])
  )
  var accessLog: String?

  @Option(
    help: ArgumentHelp(
      "How the access log shows client addresses: network or full. [LONGBOX_ACCESS_LOG_ADDRESSES]",
      valueName: "form"
    ),
    completion: .list(["network", "full"])
  )
  var accessLogAddresses: String?

  @Option(
    help: ArgumentHelp("The form of the log: text or json. [LONGBOX_LOG_FORMAT]", valueName: "form"),
    completion: .list(["text", "json"])
  )
  var logFormat: String?

  @Option(
    help: ArgumentHelp(
      "Answer /metrics to this machine: loopback or off. [LONGBOX_METRICS]",
      valueName: "reach"
    ),
    completion: .list(["loopback", "off"])
  )
  var metrics: String?

  @Option(
    help: ArgumentHelp("A folder for daily backups. [LONGBOX_BACKUPS]", valueName: "folder"),
    completion: .directory
  )
  var backups: String?

  @Flag(help: "Give everybody in the network access without signing in. [LONGBOX_OPEN]")
  var open = false

  @OptionGroup var options: Options

  func run() async throws {
    MemoryArenas.bound()
    OpenFiles.raise()
    try await reportingErrors {
      let settings = try await Settings.read(options, further: given)
      let (options, given) = (options, given)
      let setup = settings.networkSetup { try await Settings.read(options, further: given) }
      try await Self.serve(settings, setup)
    }
  }

  private var given: [AbsoluteConfigKey: ConfigValue] {
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    let given: [(String, String?)] = [
      ("host", host), ("port", port), ("fill", fill), ("tls", tls), ("tlsCertificate", tlsCertificate),
      ("tlsKey", tlsKey), ("hostNames", hostNames.isEmpty ? nil : hostNames.joined(separator: ",")),
      ("trustedProxies", trustedProxies.isEmpty ? nil : trustedProxies.joined(separator: ",")),
      ("remoteUserHeader", remoteUserHeader), ("basePath", basePath), ("publicUrl", publicUrl),
      ("passphraseFile", passphraseFile), ("open", open ? "true" : nil), ("accessLog", accessLog),
      ("accessLogAddresses", accessLogAddresses), ("backups", backups), ("logFormat", logFormat),
      ("metrics", metrics),
    ]
    for (key, value) in given {
      values[AbsoluteConfigKey([key])] = value.map { ConfigValue(.string($0), isSecret: false) }
    }
    return values
  }

  private static func serve(_ settings: Settings, _ setup: NetworkSetup) async throws {
    let logger = settings.logs.logger(of: .server)
    let store = try await open(settings.store, logger: logger)
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(
        try await HTTPConnections().closing { connections in
          try await serve(settings, setup, store, over: connections, logger: logger)
        }
      )
    } catch {
      outcome = .failure(error)
    }
    try? await store.closeOnNewThread()
    try outcome.get()
  }

  private static func serve(
    _ settings: Settings,
    _ setup: NetworkSetup,
    _ store: Store,
    over connections: HTTPConnections,
    logger: Logger
  ) async throws {
    let metrics = settings.countsMetrics ? ServerMetrics() : nil
    if let database = settings.store.database {
      logger.info("The store is in PostgreSQL.", metadata: ["database": "\(database)"])
    }
    var serverSettings = settings.server(setup: setup)
    OpenFiles.reserve(from: &serverSettings.limits, logger: logger)
    let keys = try await VAPIDKeys.loadOrCreate(by: store, in: settings.data)
    if let problem = serverSettings.contact?.problem { logger.warning("\(problem.text) \(problem.advice)") }
    serverSettings.push = settings.sender(keys, observer: metrics?.push)
    serverSettings.metrics = metrics
    serverSettings.readersLogger = settings.logs.logger(of: .push)
    // Of several nodes the leader alone asks xkcd and explain xkcd.
    let term: @Sendable () -> Int? = { store.cluster?.election.term?.number }
    let (asking, observer) = (settings.logs.logger(of: .sources), metrics?.sources)
    serverSettings.sources = settings.sourceQuestions(over: connections, logger: asking)
    let inspector = PictureInspector(logger: logger)
    let catalog = try await Catalog(
      store: store,
      client: settings.xkcdClient(over: connections, observer: observer, term: term, logger: asking),
      explain: settings.explainClient(over: connections, observer: observer, term: term, logger: asking),
      itunes: settings.itunesClient(over: connections, observer: observer, logger: asking),
      wikipedia: settings.wikipediaClient(over: connections, observer: observer, logger: asking),
      albums: settings.albums,
      inspector: inspector,
      settings: Catalog.Settings(fills: settings.fills, schedule: settings.schedule),
      logger: settings.logs.logger(of: .catalog)
    )
    if await !catalog.prepare() { await showSamples(in: catalog, settings, inspector, logger: logger) }
    if let file = settings.passphraseFile, !settings.isOpen {
      try await setPassphrase(in: file, store, logger: logger)
    }
    let noted = ServerAddress.file(in: settings.data)
    let keyFile = ServerClient.keyFile(in: settings.data)
    defer {
      for file in [noted, keyFile] { try? FileManager.default.removeItem(at: file) }
    }
    let trimming = Task { await MemoryArenas.trim() }
    defer { trimming.cancel() }
    let machineKey = AccessToken()
    serverSettings.machineKey = machineKey
    try await Server.run(
      catalog: catalog,
      store: store,
      settings: serverSettings,
      onRunning: { address in
        // Commands for reading in the terminal find the server by this file.
        let here = ServerAddress.onThisMachine(address)
        do {
          try PrivateFile.write(Array("\(machineKey.text)\n".utf8), to: keyFile)
          try PrivateFile.write(Array("\(here)\n".utf8), to: noted)
        } catch {
          logger.warning("The server's address can't be noted.", metadata: ["error": "\(error)"])
        }
        print("Longbox is at \(address)")
        fflush(nil)
      },
      manager: ServiceManager(environment: ProcessInfo.processInfo.environment, logger: logger),
      logger: logger
    )
  }

  /// Opens the data folder, and waits while a command has it open.
  private static func open(_ location: StoreLocation, logger: Logger) async throws(StoreError) -> Store {
    var hasSaid = false
    return try await Store.open(location, within: DataFolder.timeout) { error in
      if !hasSaid { logger.notice("\(error) Waiting for that.") }
      hasSaid = true
      return true
    }
  }

  /// Sets the passphrase in a file, unless it is set already.
  private static func setPassphrase(in file: String, _ store: Store, logger: Logger) async throws {
    guard let passphrase = try? Access.passphrase(in: file) else {
      throw SettingsError(
        key: "passphraseFile",
        value: file,
        expected: "a file with the passphrase that Longbox may read"
      )
    }
    let access = AccessControl(store: store, logger: logger)
    try await access.load()
    if await !access.isPassphrase(passphrase) { try await access.setPassphrase(passphrase) }
  }

  /// Shows the sample box if there is neither network nor data.
  private static func showSamples(
    in catalog: Catalog,
    _ settings: Settings,
    _ inspector: PictureInspector,
    logger: Logger
  ) async {
    guard let samples = SampleBox.folder else { return }
    do {
      let repository = try await SampleBox.repository(
        from: samples,
        in: settings.data.appending(path: "samples"),
        settings: settings.albums,
        inspector: inspector,
        logger: logger
      )
      catalog.show(standIn: repository)
    } catch {
      logger.error("The sample box can't be opened.", metadata: ["error": "\(error)"])
    }
  }
}
