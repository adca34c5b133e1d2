// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Foundation
import Logging
import LongboxCatalog
import LongboxPush
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
      "A further name by which browsers may address this server; may be repeated. [LONGBOX_HOST_NAMES]",
      valueName: "name"
    )
  )
  var hostName: [String] = []

  @Option(
    help: ArgumentHelp(
      "Whether to fetch everything in the background: true or false. [LONGBOX_FILL]",
      valueName: "flag"
    )
  )
  var fill: String?

  @OptionGroup var options: Options

  func run() async throws {
    MemoryArenas.bound()
    OpenFiles.raise()
    try await reportingErrors {
      let settings = try await Settings.read(options, further: given)
      var logger = Logger(label: "longbox")
      logger.logLevel = settings.logLevel
      try await Self.serve(settings, logger: logger)
    }
  }

  private var given: [AbsoluteConfigKey: ConfigValue] {
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    for (key, value) in [("host", host), ("port", port), ("fill", fill)] {
      values[AbsoluteConfigKey([key])] = value.map { ConfigValue(.string($0), isSecret: false) }
    }
    if !hostName.isEmpty {
      values[AbsoluteConfigKey(["hostNames"])] = ConfigValue(
        .string(hostName.joined(separator: ",")),
        isSecret: false
      )
    }
    return values
  }

  private static func serve(_ settings: Settings, logger: Logger) async throws {
    let store = try Store.open(settings.data)
    let sender = settings.sender(try VAPIDKeys.kept(in: settings.data))
    let connections = HTTPConnections()
    let catalog = try await Catalog(
      store: store,
      client: settings.xkcdClient(over: connections, logger: logger),
      explain: settings.explainClient(over: connections, logger: logger),
      itunes: settings.itunesClient(over: connections, logger: logger),
      wikipedia: settings.wikipediaClient(over: connections, logger: logger),
      albums: settings.albums,
      settings: Catalog.Settings(fills: settings.fills, schedule: settings.schedule),
      logger: logger
    )
    if await !catalog.prepare() { await showSamples(in: catalog, settings, logger: logger) }
    var serverSettings = ServerSettings(host: settings.host, port: settings.port, version: Longbox.version)
    serverSettings.hostNames = settings.hostNames
    serverSettings.limits = settings.limits
    serverSettings.push = sender
    let outcome: Result<Void, any Error>
    do {
      try await Server.run(
        catalog: catalog,
        store: store,
        settings: serverSettings,
        onRunning: { address in
          print("Longbox is at \(address)")
          fflush(nil)
        },
        logger: logger
      )
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    try? await connections.close()
    try? await store.closeAside()
    try outcome.get()
  }

  /// Shows the sample box if there is neither network nor data.
  private static func showSamples(in catalog: Catalog, _ settings: Settings, logger: Logger) async {
    guard let samples = SampleBox.folder else { return }
    do {
      let repository = try await SampleBox.repository(
        from: samples,
        in: settings.data.appending(path: "samples"),
        settings: settings.albums,
        logger: logger
      )
      catalog.show(standIn: repository)
    } catch {
      logger.error("The sample box can't be opened.", metadata: ["error": "\(error)"])
    }
  }
}
