// Longbox
// SPDX-License-Identifier: MIT

extension ReaderContext {
  /// Where albums come from.
  func albums(_ options: ReaderOptions) async throws -> any AlbumSource {
    if server != nil { return RemoteAlbumSource(client: try client()) }
    return OwnAlbumSource(settings: try await Settings.read(options.place), server: try? client())
  }
}
