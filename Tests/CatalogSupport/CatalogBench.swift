// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
package import Logging
package import LongboxCatalog
package import LongboxCore
package import LongboxStore
import LongboxUpstream

/// What a test of the catalog works with: a little xkcd, a data folder, a clock, and the catalog between them.
package final class CatalogBench: Sendable {
  package let folder: TemporaryFolder
  package let xkcd: LittleXkcd
  package let time: SettableTime
  package let store: Store
  package let catalog: Catalog

  /// Opens a folder, a new one unless one is given.
  package init(
    _ xkcd: LittleXkcd,
    wiki: LittleWiki? = nil,
    in folder: TemporaryFolder = TemporaryFolder(),
    time: SettableTime = SettableTime(),
    settings: Catalog.Settings = .patient
  ) async throws {
    self.folder = folder
    self.xkcd = xkcd
    self.time = time
    store = try Store.open(folder.url)
    catalog = try await Catalog(
      store: store,
      client: XkcdClient(transport: xkcd.transport),
      explain: wiki?.client,
      settings: settings,
      now: { time.now },
      logger: .silent
    )
  }

  /// Prepares the catalog as the program does: where there is neither network nor data, the samples are shown.
  package func prepareOrShowSamples(from samples: URL? = SampleBox.folder) async {
    guard await !catalog.prepare(), let samples else { return }
    let repository = try? await SampleBox.repository(
      from: samples,
      in: folder.path("samples"),
      now: { [time] in time.now },
      logger: .silent
    )
    if let repository { catalog.show(standIn: repository) }
  }
}

/// Runs a test on a data folder as one run of the program would, and lets go of the folder at the end.
/// - Parameters:
///   - xkcd: where comics come from.
///   - wiki: where explanations come from, where they are asked for.
///   - folder: a new one unless one is given.
///   - time: the clock.
///   - settings: of the catalog.
package func withCatalog<Value: Sendable>(
  _ xkcd: LittleXkcd,
  wiki: LittleWiki? = nil,
  in folder: TemporaryFolder = TemporaryFolder(),
  time: SettableTime = SettableTime(),
  settings: Catalog.Settings = .patient,
  _ body: (CatalogBench) async throws -> Value
) async throws -> Value {
  let bench = try await CatalogBench(xkcd, wiki: wiki, in: folder, time: time, settings: settings)
  let value = try await body(bench)
  do throws(StoreError) {
    try await bench.store.closeAside()
  } catch .cancelled {
    // An interruption that was meant for a task of the upkeep, which has just ended, struck the closing.
    try await bench.store.closeAside()
  }
  return value
}

extension Catalog.Settings {
  /// Waits for the source at the first start for as long as a busy machine needs.
  package static var patient: Catalog.Settings { Catalog.Settings(patience: .seconds(600)) }
}

extension Logger {
  /// Says nothing.
  package static var silent: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

extension Comic.Number {
  /// A number that a test knows to be one.
  package init(of value: Int) {
    guard let number = Comic.Number(value) else { preconditionFailure("no comic has the number \(value)") }
    self = number
  }
}
