// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Logging
import LongboxCatalog
import LongboxCore
import LongboxStore
import LongboxUpstream

struct Reload: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch one comic and its picture again, even if fetching them failed.",
    discussion:
      "The server must not be running: a page that it shows tries again by itself when it is opened."
  )

  @Argument(help: "The number of the comic.")
  var number: Int

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Report: Encodable {
    var reloaded: Int
  }

  func validate() throws {
    guard Comic.Number(number) != nil else {
      throw ValidationError("There is no comic \(number). Give the number of a comic, such as 353.")
    }
  }

  func run() async throws {
    try await reportingErrors {
      guard let number = Comic.Number(number) else { return }
      let settings = try await DataFolder.settings(options)
      var logger = Logger(label: "longbox")
      logger.logLevel = settings.logLevel
      let store = try await DataFolder.open(settings.store)
      try await HTTPConnections().closing { connections in
        let catalog = try await Catalog(
          store: store,
          client: settings.xkcdClient(over: connections, logger: logger),
          logger: logger
        )
        try await catalog.reload(number)
        catalog.save()
      }
      try Console().write(
        Report(reloaded: number.value),
        asJSON: json,
        lines: ["Comic \(number.value) and its picture were fetched again."]
      )
    }
  }
}
