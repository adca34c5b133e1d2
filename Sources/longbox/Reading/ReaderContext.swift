// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxReaders
import LongboxStore

/// The terminal, the comics and the reader's library for a command.
struct ReaderContext: Sendable {
  let console: Console
  let store: StoreLocation
  /// Another Longbox; nil for this machine's own.
  let server: ServerAddress?
  let library: TerminalLibrary
  /// The private folder of this reader.
  let readerFolder: LibraryFolder
  let now: @Sendable () -> UInt64

  /// Reads the settings; opens nothing yet.
  init(_ options: ReaderOptions) async throws {
    try await self.init(server: options.server, options.dataOptions)
  }

  init(server named: String?, _ options: DataOptions) async throws {
    Interruption.prepare()
    console = Console()
    let environment = console.environment
    let named = named ?? environment["LONGBOX_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
    let server = try named.map { try ServerAddress($0) }
    self.server = server
    store = try await Settings.read(options).store
    readerFolder = try LibraryFolder(of: server, environment: environment)
    now = { Date().milliseconds }
    library = TerminalLibrary(
      folder: readerFolder,
      home: Self.home(of: server, store, readerFolder),
      now: now
    )
  }

  private static func home(
    of server: ServerAddress?,
    _ store: StoreLocation,
    _ folder: LibraryFolder
  ) -> (any LibraryHome)? {
    if let server {
      var client = ServerClient(server: server)
      client.keepSession(folder.session)
      return RemoteLibraryHome(client: client)
    }
    // Don't create a store just by reading.
    let database = store.folder.appending(path: "longbox.sqlite").path
    guard store.database != nil || FileManager.default.fileExists(atPath: database) else { return nil }
    return OwnLibraryHome(location: store, session: folder.session)
  }

  /// The client of the server that readers of this library use: the named one, or the one on this machine.
  /// - Throws: `ReaderError.unavailable` if no server runs.
  func client() throws -> ServerClient {
    guard var client = server.map({ ServerClient(server: $0) }) ?? ServerClient(of: data) else {
      throw ReaderError.unavailable(
        "No server runs on \(data.path). Start “longbox serve”, or name one by --server."
      )
    }
    client.keepSession(readerFolder.session)
    return client
  }

  /// Where the comics come from.
  func comics() async throws -> any ComicSource {
    guard let server else { return try await StoredComicSource(store) }
    var client = ServerClient(server: server)
    client.keepSession(readerFolder.session)
    let cache = try LibraryFolder.base("XDG_CACHE_HOME", ".cache", console.environment)
      .appending(path: server.folderName, directoryHint: .isDirectory)
    return RemoteComicSource(client: client, folder: cache)
  }

  /// This machine's data folder.
  var data: URL { store.folder }

  /// Where albums come from.
  func albums(_ options: ReaderOptions) async throws -> any AlbumSource {
    if server != nil { return RemoteAlbumSource(client: try client()) }
    return OwnAlbumSource(settings: try await Settings.read(options.dataOptions), server: try? client())
  }
}
