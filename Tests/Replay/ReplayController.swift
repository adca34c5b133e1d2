// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// The HTTP interface that controls the replay.
///
/// Faults don't affect it, and its requests aren't counted.
struct ReplayController: Sendable {
  /// The path; no source claims it.
  static let path = "_replay"
  /// Enough for a picture of 24 MB in base64.
  private static let bodyLimit = 32 * 1_024 * 1_024

  let recording: XkcdRecording
  let plan: FaultPlan
  let log: RequestLog
  let now: @Sendable () -> Date
  /// Closes the listening socket for a while; nil without a socket, as in route tests.
  let refuse: (@Sendable (Duration) async -> Void)?

  func add(to router: Router<ReplayRequestContext>) {
    let group = router.group(RouterPath(Self.path))
    group.get("state") { request, _ in try state(request) }
    group.get("faults") { _, _ in try Self.json(plan.entries.map(FaultReport.init)) }
    group.post("faults") { request, _ in try await addFault(request) }
    group.delete("faults") { _, _ in
      plan.clear()
      return Response(status: .noContent)
    }
    group.delete("faults/:id") { _, context in try removeFault(context.parameters.require("id")) }
    group.post("publish") { request, _ in try await publish(request) }
    group.post("replace") { request, _ in try await replace(request) }
    group.post("reset") { request, _ in try await reset(request) }
    group.post("refuse") { request, _ in try await refuse(request) }
    for method in [HTTPRequest.Method.get, .post, .put, .delete] {
      group.on("**", method: method) { _, _ in try Self.unknown() }
    }
  }

  private func state(_ request: Request) throws -> Response {
    var count = 100
    if let text = request.uri.queryParameters["last"] {
      guard let number = Int(text), (0...RequestLog.capacity).contains(number) else {
        throw HTTPError(.badRequest, message: "'last' is not a number from 0 to \(RequestLog.capacity).")
      }
      count = number
    }
    return try Self.json(
      ReplayState(
        latest: recording.latest,
        counts: log.counts,
        faults: plan.entries.map(FaultReport.init),
        requests: log.last(count)
      )
    )
  }

  private func addFault(_ request: Request) async throws -> Response {
    let fault = try Self.decode(Fault.self, from: await Self.body(of: request))
    return try Self.json(["id": plan.add(fault)], status: .created)
  }

  private func removeFault(_ text: String) throws -> Response {
    guard let id = Int(text), plan.remove(id) else {
      throw HTTPError(.notFound, message: "There is no fault '\(text)'; GET /_replay/faults lists them.")
    }
    return Response(status: .noContent)
  }

  private func publish(_ request: Request) async throws -> Response {
    let wish = try await wish(request, "A publication", ["number", "record", "picture"])
    return try Self.explained {
      guard let record = wish.record else {
        guard wish.picture == nil else {
          throw ReplayError(
            "'picture': it goes with a 'record'; to change a recorded one, use /_replay/replace."
          )
        }
        return try Self.json(["latest": recording.publish(wish.number)])
      }
      guard wish.number == nil else { throw ReplayError("'number': the 'record' says its number itself.") }
      let latest = try recording.publish(record: record.text(), picture: wish.pictureBytes, now: now())
      return try Self.json(["latest": latest])
    }
  }

  private func replace(_ request: Request) async throws -> Response {
    let wish = try await wish(request, "A replacement", ["number", "fields", "picture"])
    return try Self.explained {
      guard let number = wish.number else { throw ReplayError("'number' is missing.") }
      let fields = wish.fields ?? [:]
      guard !fields.isEmpty || wish.picture != nil else {
        throw ReplayError("'fields': nothing changes: send 'fields', a 'picture' or both.")
      }
      try recording.replace(number, fields: fields, picture: wish.pictureBytes, now: now())
      return try Self.json(["number": number])
    }
  }

  private func reset(_ request: Request) async throws -> Response {
    let wish = try await wish(request, "A reset", ["recording"])
    plan.clear()
    log.reset()
    if wish.recording == true { recording.reset() }
    return Response(status: .noContent)
  }

  private func refuse(_ request: Request) async throws -> Response {
    let wish = try await wish(request, "A rejection", ["seconds"])
    guard let seconds = wish.seconds, (0.01...600).contains(seconds) else {
      throw HTTPError(.badRequest, message: "'seconds': \(wish.seconds ?? 0) is not from 0.01 to 600.")
    }
    guard let refuse else { throw HTTPError(.serviceUnavailable, message: "There is no socket to close.") }
    await refuse(.seconds(seconds))
    return Response(status: .accepted)
  }

  private static func unknown() throws -> Response {
    throw HTTPError(
      .notFound,
      message: "There is no such control address. There are GET state, GET, POST and DELETE faults, "
        + "DELETE faults/{id}, POST publish, replace, reset and refuse, all below /\(path)/."
    )
  }

  /// The body; an empty one counts as `{}`.
  private static func body(of request: Request) async throws -> Data {
    do {
      let body = try await request.body.collect(upTo: bodyLimit)
      return body.readableBytes == 0 ? Data("{}".utf8) : Data(body.readableBytesView)
    } catch {
      throw HTTPError(.contentTooLarge, message: "The body is larger than \(bodyLimit) bytes.")
    }
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch let error as DecodingError {
      throw HTTPError(.badRequest, message: error.sentence(about: "The body"))
    }
  }

  /// Decodes a wish that may have only some fields.
  private func wish(_ request: Request, _ subject: String, _ fields: [String]) async throws -> Wish {
    let data = try await Self.body(of: request)
    let sent = try Self.decode([String: JSONValue].self, from: data).keys
    guard let unknown = sent.filter({ !fields.contains($0) }).min() else {
      return try Self.decode(Wish.self, from: data)
    }
    throw HTTPError(.badRequest, message: "'\(unknown)': " + noSuchField(subject, fields))
  }

  /// Turns a mistake in the request into a 400 that describes it.
  private static func explained(_ act: () throws -> Response) throws -> Response {
    do { return try act() } catch let error as ReplayError {
      throw HTTPError(.badRequest, message: error.description)
    }
  }

  private static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
    let body = ByteBuffer(bytes: try encoder.encode(value) + Data("\n".utf8))
    return Response(
      status: status,
      headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: body)
    )
  }
}

/// The body of a control request: each has some of these fields.
private struct Wish: Decodable {
  let number: Int?
  let record: JSONValue?
  let fields: [String: JSONValue]?
  /// Base64 in JSON.
  let picture: Data?
  let recording: Bool?
  let seconds: Double?

  var pictureBytes: ByteBuffer? { picture.map { ByteBuffer(bytes: $0) } }
}

/// The response to `GET /_replay/state`.
private struct ReplayState: Encodable {
  let latest: Int
  let counts: RequestLog.Counts
  let faults: [FaultReport]
  /// The last requests, oldest first.
  let requests: [RequestLog.Entry]
}

private struct FaultReport: Encodable {
  let id: Int
  let kind: String
  let path: String?
  let source: String?
  let times: Int?
  let uses: Int
  let isSpent: Bool

  init(_ entry: FaultPlan.Entry) {
    id = entry.id
    kind = entry.fault.name
    path = entry.fault.match.path
    source = entry.fault.match.source
    times = entry.fault.times
    uses = entry.uses
    isSpent = entry.isSpent
  }
}
