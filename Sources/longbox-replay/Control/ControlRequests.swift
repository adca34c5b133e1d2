// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// `POST /_replay/publish`: a recorded number, a whole record, or nothing for the next comic.
struct PublishRequest: Decodable, Sendable {
  let number: Int?
  let record: JSONValue?
  let picture: Data?

  init(from decoder: any Decoder) throws {
    try decoder.allow(only: ["number", "record", "picture"], for: "A publication")
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decodeIfPresent(Int.self, forKey: .number)
    record = try container.decodeIfPresent(JSONValue.self, forKey: .record)
    picture = try container.decodeIfPresent(Data.self, forKey: .picture)
    if number != nil, record != nil {
      throw DecodingError.dataCorruptedError(
        forKey: .number,
        in: container,
        debugDescription: "the 'record' says its number itself."
      )
    }
    if picture != nil, record == nil {
      throw DecodingError.dataCorruptedError(
        forKey: .picture,
        in: container,
        debugDescription:
          "it goes with a 'record'; to change a recorded comic's picture, use /_replay/replace."
      )
    }
  }

  private enum CodingKeys: CodingKey { case number, record, picture }
}

struct ReplaceRequest: Decodable, Sendable {
  let number: Int
  let fields: [String: JSONValue]
  let picture: Data?

  init(from decoder: any Decoder) throws {
    try decoder.allow(only: ["number", "fields", "picture"], for: "A replacement")
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(Int.self, forKey: .number)
    fields = try container.decodeIfPresent([String: JSONValue].self, forKey: .fields) ?? [:]
    picture = try container.decodeIfPresent(Data.self, forKey: .picture)
    if fields.isEmpty, picture == nil {
      throw DecodingError.dataCorruptedError(
        forKey: .fields,
        in: container,
        debugDescription: "nothing changes: send 'fields', a 'picture' or both."
      )
    }
  }

  private enum CodingKeys: CodingKey { case number, fields, picture }
}

/// `POST /_replay/reset`: clears counts and faults, and optionally the changes to comics.
struct ResetRequest: Decodable, Sendable {
  let recording: Bool

  init(from decoder: any Decoder) throws {
    try decoder.allow(only: ["recording"], for: "A reset")
    recording =
      try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(Bool.self, forKey: .recording) ?? false
  }

  private enum CodingKeys: CodingKey { case recording }
}

/// `POST /_replay/refuse`: how long to refuse connections.
struct RefuseRequest: Decodable, Sendable {
  let duration: Duration

  init(from decoder: any Decoder) throws {
    try decoder.allow(only: ["seconds"], for: "A rejection")
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let seconds = try container.decode(Double.self, forKey: .seconds)
    guard (0.01...600).contains(seconds) else {
      throw DecodingError.dataCorruptedError(
        forKey: .seconds,
        in: container,
        debugDescription: "\(seconds) is not from 0.01 to 600."
      )
    }
    duration = .seconds(seconds)
  }

  private enum CodingKeys: CodingKey { case seconds }
}
