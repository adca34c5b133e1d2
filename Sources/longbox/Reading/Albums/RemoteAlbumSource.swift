// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore

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
