// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages
import Testing

@testable import LongboxDevice

/// A device, and a host that answers its needs from a table.
///
/// It is a class because the macros of Swift Testing can't call mutating methods.
final class DeviceBench {
  private var device: Device
  private let counter: Counter
  /// What the host has, by kind and key; anything else is unreachable.
  var table: [HostNeed: HostValue] = [:]
  /// The device's needs for the last answer.
  private(set) var asked: [HostNeed] = []
  /// The number of requests for the last answer, each with what was loaded so far.
  private(set) var rounds = 0

  private final class Counter {
    var renders = 0
  }

  init() {
    let counter = Counter()
    self.counter = counter
    device = Device { route, request, archive, library, loaded, context in
      counter.renders += 1
      return render(route, in: request, archive: archive, library: &library, loaded: loaded, context: context)
    }
  }

  var renders: Int { counter.renders }

  func perform(_ operation: LongboxDevice.Operation, _ message: [UInt8] = []) -> [UInt8]? {
    device.perform(operation, message)
  }

  /// The device's reply to one request: needs or an answer.
  func reply(to ask: Ask) throws -> HostReply {
    let bytes = try #require(perform(.respond, ask.message))
    return try #require(HostReply(bytes))
  }

  /// The answer to a request, after all its needs were loaded from the table.
  ///
  /// It fails if the device asks for a need twice or in too many rounds, or renders more or less than once.
  func answer(to ask: Ask) throws -> HostResponse {
    var ask = ask
    (asked, rounds) = ([], 0)
    let before = renders
    while rounds < 7 {
      rounds += 1
      switch try reply(to: ask) {
      case .answer(let answer):
        #expect(renders == before + 1, "\(ask.path) was rendered \(renders - before) times")
        #expect(rounds <= 6, "\(ask.path) took \(rounds) rounds")
        return answer
      case .needs(let needs):
        #expect(renders == before, "\(ask.path) was rendered before all was there")
        #expect(!needs.isEmpty)
        for need in needs {
          #expect(!asked.contains(need), "\(ask.path) asked twice for \(need)")
          asked.append(need)
          ask.loaded.append((need, table[need] ?? .unreachable))
        }
      }
    }
    throw TooManyRounds(path: ask.path)
  }

  /// A device with three comics and an empty library.
  static func opened() throws -> DeviceBench {
    let bench = DeviceBench()
    #expect(bench.perform(.open, try segment(of: [(1, "Barrel"), (2, "Trees"), (3, "Island")])) == [])
    #expect(bench.perform(.begin, [7, 0, 0, 0, 0, 0, 0, 0]) == [])
    return bench
  }

  static func segment(of comics: [(Int, Text)], picture: PictureFacts? = nil) throws -> [UInt8] {
    var writer = SegmentWriter()
    for (value, title) in comics {
      let number = try #require(Comic.Number(value))
      let date = try #require(CalendarDate(year: 2006, month: 1, day: value))
      let address: Text = "https://imgs.xkcd.com/comics/picture.png"
      var comic = Comic(number: number, date: date, title: title, alt: title, pictureAddress: address)
      comic.picture = picture
      try writer.append(comic)
    }
    return try writer.finish(.init(revision: 3))
  }
}

/// The device needed more rounds than allowed.
struct TooManyRounds: Error {
  let path: String
}

/// A request as a host writes it.
struct Ask {
  var path: String
  var query = ""
  var form: String?
  var isOffline = false
  var isPrefetch = false
  var random: UInt32 = 1000
  var now: UInt32 = 1000
  var loaded: [(HostNeed, HostValue)] = []

  init(
    _ path: String,
    query: String = "",
    form: String? = nil,
    isOffline: Bool = false,
    isPrefetch: Bool = false,
    loaded: [(HostNeed, HostValue)] = []
  ) {
    self.path = path
    self.query = query
    self.form = form
    self.isOffline = isOffline
    self.isPrefetch = isPrefetch
    self.loaded = loaded
  }

  var message: [UInt8] {
    var writer = MessageWriter()
    writer.append((form == nil ? 0 : 1) | (isOffline ? 2 : 0) | (isPrefetch ? 4 : 0))
    for number in [random, now] {
      writer.append32(Int(number))
      writer.append32(0)
    }
    for text in [path, query, form ?? "", "assets", "1.0", "", ""] { writer.append(string: text) }
    writer.append32(loaded.count)
    for (need, value) in loaded {
      writer.append(need.kind)
      writer.append(string: need.key)
      writer.append(value.state)
      writer.append32(value.bytes.count)
      writer.append(value.bytes)
    }
    return writer.bytes
  }
}

extension MessageWriter {
  /// Appends a u32 length and UTF-8 bytes.
  mutating func append(string: String) {
    append32(string.utf8.count)
    append(Array(string.utf8))
  }
}

/// A need as a host reads it.
struct HostNeed: Hashable {
  var kind: UInt8
  var key = ""
}

/// The host's value for a need.
struct HostValue {
  var state: UInt8
  var bytes: [UInt8] = []

  /// The source does not have it.
  static let absent = HostValue(state: 1)
  /// It is unavailable now.
  static let unreachable = HostValue(state: 2)

  static func text(_ text: String) -> HostValue { HostValue(state: 0, bytes: Array(text.utf8)) }

  /// An album in the format of a device.
  static func album(
    _ id: String,
    _ name: String,
    body: String = "<p>Tracks</p>",
    artist: (id: String, name: String) = ("", ""),
    titles: [String],
    articles: [(page: String, html: String)] = []
  ) -> HostValue {
    var writer = MessageWriter()
    for text in [id, name, body, artist.id, artist.name] { writer.append(string: text) }
    writer.append32(titles.count)
    for title in titles { writer.append(string: title) }
    if !articles.isEmpty { writer.append(string: "en") }
    for (page, html) in articles {
      writer.append(string: page)
      writer.append(string: html)
    }
    return HostValue(state: 0, bytes: writer.bytes)
  }
}

/// A reply to a request, as a host reads it.
enum HostReply {
  case needs([HostNeed])
  case answer(HostResponse)

  init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    switch reader.byte() {
    case 0?:
      guard let count = reader.word32() else { return nil }
      var needs: [HostNeed] = []
      for _ in 0..<count {
        guard let kind = reader.byte(), let key = reader.text() else { return nil }
        needs.append(HostNeed(kind: kind, key: key.description))
      }
      guard reader.rest.isEmpty else { return nil }
      self = .needs(needs)
    case 1?:
      guard let status = reader.word32(), let flags = reader.byte(), let viewed = reader.word32(),
        let location = reader.text()
      else { return nil }
      self = .answer(
        HostResponse(
          status: Int(status),
          isLibraryChanged: flags & 1 != 0,
          serverMayKnowMore: flags & 2 != 0,
          isFile: flags & 4 != 0,
          viewed: Int(viewed),
          location: location.description,
          page: String(decoding: reader.rest, as: UTF8.self)
        )
      )
    default: return nil
    }
  }

  /// The needs, or nil for an answer.
  var needs: [HostNeed]? { if case .needs(let needs) = self { needs } else { nil } }
}

struct HostResponse {
  let status: Int
  let isLibraryChanged: Bool
  let serverMayKnowMore: Bool
  let isFile: Bool
  let viewed: Int
  let location: String
  let page: String
}
