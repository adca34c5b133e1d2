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
        requestsPerSecond: log.rate(overLast: 10),
        faults: plan.entries.map(FaultReport.init),
        requests: log.last(count)
      )
    )
  }

  private func addFault(_ request: Request) async throws -> Response {
    let fault = try await Self.decode(Fault.self, from: request)
    return try Self.json(["id": plan.add(fault)], status: .created)
  }

  private func removeFault(_ text: String) throws -> Response {
    guard let id = Int(text), plan.remove(id) else {
      throw HTTPError(.notFound, message: "There is no fault '\(text)'; GET /_replay/faults lists them.")
    }
    return Response(status: .noContent)
  }

  private func publish(_ request: Request) async throws -> Response {
    let parameters = try await Self.decode(PublishRequest.self, from: request)
    do {
      guard let record = parameters.record else {
        return try Self.json(["latest": recording.publish(parameters.number, now: now())])
      }
      let latest = try recording.publish(
        record: record.text(),
        picture: parameters.picture.map { ByteBuffer(bytes: $0) },
        now: now()
      )
      return try Self.json(["latest": latest])
    } catch let error as XkcdChangeError {
      throw HTTPError(.badRequest, message: error.description)
    }
  }

  private func replace(_ request: Request) async throws -> Response {
    let parameters = try await Self.decode(ReplaceRequest.self, from: request)
    do {
      try recording.replace(
        parameters.number,
        fields: parameters.fields,
        picture: parameters.picture.map { ByteBuffer(bytes: $0) },
        now: now()
      )
    } catch {
      throw HTTPError(.badRequest, message: error.description)
    }
    return try Self.json(["number": parameters.number])
  }

  private func reset(_ request: Request) async throws -> Response {
    let parameters = try await Self.decode(ResetRequest.self, from: request)
    plan.clear()
    log.reset()
    if parameters.recording { recording.reset() }
    return Response(status: .noContent)
  }

  private func refuse(_ request: Request) async throws -> Response {
    let parameters = try await Self.decode(RefuseRequest.self, from: request)
    guard let refuse else { throw HTTPError(.serviceUnavailable, message: "There is no socket to close.") }
    await refuse(parameters.duration)
    return Response(status: .accepted)
  }
}

extension ReplayController {
  private static func unknown() throws -> Response {
    throw HTTPError(
      .notFound,
      message: "There is no such control address. There are GET state, GET, POST and DELETE faults, "
        + "DELETE faults/{id}, POST publish, replace, reset and refuse, all below /\(path)/."
    )
  }

  /// Decodes the body; an empty one counts as `{}`.
  ///
  /// A mistake becomes a 400 that describes it.
  private static func decode<Wish: Decodable>(_ type: Wish.Type, from request: Request) async throws -> Wish {
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: bodyLimit)
    } catch {
      throw HTTPError(.contentTooLarge, message: "The body is larger than \(bodyLimit) bytes.")
    }
    let data = body.readableBytes == 0 ? Data("{}".utf8) : Data(body.readableBytesView)
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch let error as DecodingError {
      throw HTTPError(.badRequest, message: error.sentence(about: "The body"))
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
