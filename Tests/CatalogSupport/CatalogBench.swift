// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
package import Logging
package import LongboxCatalog
package import LongboxCore
package import LongboxStore
import LongboxUpstream
package import TestSupport

/// A catalog for a test, with a fake xkcd, a data folder and a settable clock.
package final class CatalogBench: Sendable {
  package let folder: TemporaryFolder
  package let xkcd: FakeXkcd
  package let time: SettableTime
  package let store: Store
  package let catalog: Catalog

  /// One process for all tests: each test with a picture would start its own.
  package static let inspector = PictureInspector(logger: .silent)

  /// Opens a catalog in a data folder, by default a new one, and in a database, by default SQLite.
  package init(
    _ xkcd: FakeXkcd,
    wiki: FakeWiki? = nil,
    in folder: TemporaryFolder = TemporaryFolder(),
    database: PostgresAddress? = nil,
    time: SettableTime = SettableTime(),
    inspector: PictureInspector = CatalogBench.inspector,
    settings: Catalog.Settings = .withLongTimeout
  ) async throws {
    self.folder = folder
    self.xkcd = xkcd
    self.time = time
    store = try await Store.open(StoreLocation(folder.url, database: database))
    catalog = try await Catalog(
      store: store,
      client: XkcdClient(transport: xkcd.transport),
      explain: wiki?.client,
      inspector: inspector,
      settings: settings,
      now: { time.now },
      logger: .silent
    )
  }

  /// Prepares the catalog as the program does: shows the samples when there is neither network nor data.
  package func prepareOrShowSamples(from samples: URL? = SampleBox.folder) async {
    guard await !catalog.prepare(), let samples else { return }
    let repository = try? await SampleBox.repository(
      from: samples,
      in: folder.path("samples"),
      inspector: Self.inspector,
      now: { [time] in time.now },
      logger: .silent
    )
    if let repository { catalog.show(standIn: repository) }
  }
}

/// Runs a test on a data folder as one run of the program, and closes the store at the end.
package func withCatalog<Value: Sendable>(
  _ xkcd: FakeXkcd,
  wiki: FakeWiki? = nil,
  in folder: TemporaryFolder = TemporaryFolder(),
  time: SettableTime = SettableTime(),
  inspector: PictureInspector = CatalogBench.inspector,
  settings: Catalog.Settings = .withLongTimeout,
  _ body: (CatalogBench) async throws -> Value
) async throws -> Value {
  let bench = try await CatalogBench(
    xkcd,
    wiki: wiki,
    in: folder,
    time: time,
    inspector: inspector,
    settings: settings
  )
  let value = try await body(bench)
  do throws(StoreError) {
    try await bench.store.closeOnNewThread()
  } catch .cancelled {
    // A cancellation meant for the refresh service, which has just ended, can interrupt the close: try again.
    try await bench.store.closeOnNewThread()
  }
  return value
}

extension Catalog.Settings {
  /// Has a startup timeout that is long enough for a busy machine.
  package static var withLongTimeout: Catalog.Settings { Catalog.Settings(timeout: .seconds(600)) }
}

extension LeaderElection.Times {
  /// Lets the first leader keep leading, even on a busy machine.
  package static var long: LeaderElection.Times {
    var times = LeaderElection.Times()
    times.limit = .seconds(300)
    times.release = .seconds(600)
    return times
  }
}

extension Logger {
  /// Logs nothing.
  package static var silent: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

extension Comic.Number {
  /// A number that the test knows to be valid.
  package init(of value: Int) {
    guard let number = Comic.Number(value) else { preconditionFailure("no comic has the number \(value)") }
    self = number
  }
}
