// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxCore
import LongboxServer
import LongboxStore
import LongboxUpstream

/// A source of artists and albums.
protocol AlbumSource: Sendable {
  func artists(named name: String, in country: StoreCountry?) async throws -> AlbumJSON.Artists
  func discography(of artist: StoreID, in country: StoreCountry?) async throws -> AlbumJSON.Discography
  func album(_ album: StoreID, in country: StoreCountry?) async throws -> AlbumJSON.Details
}

/// This machine's data folder, and the iTunes Store for what is not stored there.
///
/// While a server runs on the folder, it is asked, because it keeps to the limits of the iTunes Store for
/// everyone.
struct OwnAlbumSource: AlbumSource {
  let settings: Settings
  let server: ServerClient?

  /// Maximum wait for the iTunes Store.
  private static let timeout = Duration.seconds(20)

  func artists(named name: String, in country: StoreCountry?) async throws -> AlbumJSON.Artists {
    let country = country ?? settings.albums.country
    return try await ask(country) {
      AlbumJSON.Artists(
        try here(await $0.artists(named: name, in: country, within: Self.timeout)),
        in: country
      )
    } server: {
      try await $0.artists(named: name, in: country)
    }
  }

  func discography(of artist: StoreID, in country: StoreCountry?) async throws -> AlbumJSON.Discography {
    let country = country ?? settings.albums.country
    return try await ask(country) {
      AlbumJSON.Discography(
        try here(await $0.discography(of: artist, in: country, within: Self.timeout)),
        in: country
      )
    } server: {
      try await $0.discography(of: artist, in: country)
    }
  }

  func album(_ album: StoreID, in country: StoreCountry?) async throws -> AlbumJSON.Details {
    let country = country ?? settings.albums.country
    return try await ask(country) {
      AlbumJSON.Details(try here(await $0.album(album, in: country, within: Self.timeout)))
    } server: {
      try await $0.album(album, in: country)
    }
  }

  private func here<Value>(_ answer: AlbumLookup<Value>) throws -> Value {
    switch answer {
    case .here(let value, _): return value
    case .waiting(let seconds):
      throw ReaderError.unavailable(
        "Requests to the iTunes Store are limited. Try again in \(seconds) \(seconds == 1 ? "second" : "seconds")."
      )
    case .refused(let pause): throw ReaderError.unavailable(pause.sentence)
    }
  }

  private func ask<Value: Sendable>(
    _ country: StoreCountry,
    _ own: (Albums) async throws -> Value,
    server asked: (RemoteAlbumSource) async throws -> Value
  ) async throws -> Value {
    guard let store = try await opened() else {
      guard let server else { throw ReaderError.unavailable("No server runs on \(settings.data.path).") }
      return try await asked(RemoteAlbumSource(client: server))
    }
    var logger = Logger(label: "longbox")
    logger.logLevel = .error
    let outcome: Result<Value, any Error>
    do {
      outcome = .success(
        try await HTTPConnections().closing { connections in
          let catalog = try await Catalog(
            store: store,
            client: settings.xkcdClient(over: connections, logger: logger),
            itunes: settings.itunesClient(over: connections, logger: logger),
            albums: settings.albums,
            logger: logger
          )
          return try await own(catalog.albums)
        }
      )
    } catch CatalogError.absent {
      outcome = .failure(
        ReaderError.missing("The iTunes Store of the country “\(country.text)” has no such artist or album.")
      )
    } catch {
      outcome = .failure(error)
    }
    try? await store.closeOnNewThread()
    return try outcome.get()
  }

  /// Opens the data folder; nil if a server runs on it, which is asked instead.
  private func opened() async throws -> Store? {
    do throws(StoreError) {
      return try await DataFolder.open(settings.store)
    } catch {
      guard case .inUse(let folder, let holder) = error else { throw error }
      guard server == nil else { return nil }
      let other = holder ?? "Another command of Longbox"
      throw ReaderError.unavailable("\(other) uses \(folder) right now. Try again when it is done.")
    }
  }
}

/// The albums of a server, by its API.
struct RemoteAlbumSource: AlbumSource {
  let client: ServerClient

  private struct Problem: Decodable {
    var detail: String?
  }

  func artists(named name: String, in country: StoreCountry?) async throws -> AlbumJSON.Artists {
    let query = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return try await ask("/api/artists?q=\(query)" + (country.map { "&country=\($0.text)" } ?? ""))
  }

  func discography(of artist: StoreID, in country: StoreCountry?) async throws -> AlbumJSON.Discography {
    try await ask("/api/artists/\(artist.text)" + (country.map { "?country=\($0.text)" } ?? ""))
  }

  func album(_ album: StoreID, in country: StoreCountry?) async throws -> AlbumJSON.Details {
    try await ask("/api/albums/\(album.text)" + (country.map { "?country=\($0.text)" } ?? ""))
  }

  private func ask<Value: Decodable>(_ target: String) async throws -> Value {
    let answer = try await client.get(target)
    let detail = try? JSONDecoder().decode(Problem.self, from: Data(answer.body)).detail
    switch answer.status {
    case 200:
      guard let value = try? JSONDecoder().decode(Value.self, from: Data(answer.body)) else {
        throw ReaderError.foreignAnswer(of: client.server)
      }
      return value
    case 400: throw ReaderError.usage(detail ?? "\(client.server) doesn’t understand the question.")
    case 404: throw ReaderError.missing(detail ?? "There is no such artist or album.")
    default:
      throw ReaderError.unavailable(
        detail ?? "\(client.server) answers with status \(answer.status). Try again later."
      )
    }
  }
}
