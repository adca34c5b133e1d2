// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

/// The API's responses as an independent client decodes them.
struct SentComic: Decodable, Equatable {
  struct Picture: Decodable, Equatable {
    var address: String
    var thumbnail: String
    var doubleSize: String?
    var mediaType: String
    var width: Int
    var height: Int
    var bytes: Int
    var frames: Int
  }

  var number: Int
  var title: String
  var date: String?
  var alt: String
  var transcript: String?
  var link: String?
  var interactive: Bool
  var picture: Picture?
  var page: String
  var source: String
}

struct SentResults: Decodable {
  struct Hit: Decodable {
    struct Match: Decodable {
      struct Piece: Decodable {
        var text: String
        var marked: Bool
      }

      var field: String
      var pieces: [Piece]
    }

    var number: Int
    var title: String
    var match: Match
    var page: String
    var thumbnail: String?
  }

  var query: String
  var deep: Bool
  var offset: Int
  var total: Int
  var didYouMean: String?
  var results: [Hit]
}

struct SentChanges: Decodable {
  var revision: Int
  var samples: Bool
  var comics: [SentComic]
  var next: String
  var more: Bool
}

struct SentProblem: Decodable {
  var type: String
  var title: String
  var status: Int
  var detail: String
  var parameter: String?
}

extension ServerBench {
  func decode<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws
    -> Value
  {
    let answer = try await get(path)
    #expect(answer.status == .ok, "\(path): \(answer.text)")
    #expect(answer.headers[.contentType] == "application/json")
    return try JSONDecoder().decode(Value.self, from: Data(answer.bytes))
  }

  /// All changes after a position, page by page.
  func changes(since place: String?, limit: Int) async throws -> (
    comics: [SentComic], next: String
  ) {
    var all: [SentComic] = []
    var next = place
    for _ in 0..<100 {
      let part: SentChanges = try await decode(
        "/api/comics?limit=\(limit)" + (next.map { "&since=\($0)" } ?? "")
      )
      #expect(part.comics.count <= limit)
      all += part.comics
      next = part.next
      if !part.more { return (all, part.next) }
    }
    Issue.record("A hundred parts, and still more.")
    return (all, "")
  }
}
