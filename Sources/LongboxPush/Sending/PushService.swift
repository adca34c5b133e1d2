// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends messages to one push service.
public struct PushService: Sendable {
  /// The results of messages sent in batches.
  public let results = DeliveryResults()
  private let loop: any EventLoop
  private let connections: NIOLoopBound<PushConnections>
  /// The headers that all requests share.
  private let head: HTTPHeaders

  /// The lifetime of a token; the maximum is a day (RFC 8292, section 2).
  private static let tokenTime: TimeInterval = 12 * 3600
  /// Texts are padded to a multiple of this, so that a message's length reveals little.
  private static let grain = 256

  init(over route: PushConnections.Route, for sender: PushSender) async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    self.loop = loop
    connections = try await loop.submit {
      let connections = PushConnections(on: loop, route: route, limits: sender.limits, now: sender.now)
      return NIOLoopBound(connections, eventLoop: loop)
    }
    .get()
    let authorization = try sender.keys.authorization(
      for: route.service,
      contact: sender.contact,
      until: sender.now().addingTimeInterval(Self.tokenTime)
    )
    head = [
      "Host": route.service.authority, "Authorization": authorization, "Content-Encoding": "aes128gcm",
      "Content-Type": "application/octet-stream",
    ]
  }

  /// Encrypts and sends a message to an endpoint of this service.
  public func send(_ message: Message) async -> DeliveryResult.Outcome {
    await withCheckedContinuation { continuation in
      do {
        let request = try request(for: message) { continuation.resume(returning: $0) }
        loop.execute { [connections] in connections.value.send([request]) }
      } catch {
        continuation.resume(returning: Self.rejected(error))
      }
    }
  }

  /// Encrypts messages, at 0.1 ms each, and sends them.
  ///
  /// Their results arrive by ``results``.
  public func send(_ messages: some Collection<Message>) {
    var requests: [PushRequest] = []
    requests.reserveCapacity(messages.count)
    for message in messages {
      do {
        let request = try request(for: message) { [results, id = message.id] outcome in
          results.add(DeliveryResult(message: id, outcome: outcome))
        }
        requests.append(request)
      } catch {
        results.add(DeliveryResult(message: message.id, outcome: Self.rejected(error)))
      }
    }
    loop.execute { [connections, requests] in connections.value.send(requests) }
  }

  private func request(
    for message: Message,
    completion: @escaping @Sendable (DeliveryResult.Outcome) -> Void
  ) throws -> PushRequest {
    let room = Message.longestText - message.text.count
    let body = try MessageEncryption.encrypt(
      message.text,
      for: message.keys,
      padding: max(0, min(Self.grain - 1 - message.text.count % Self.grain, room))
    )
    var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: message.endpoint.target, headers: head)
    head.headers.add(name: "Content-Length", value: "\(body.count)")
    head.headers.add(name: "TTL", value: "\(message.timeToLive)")
    head.headers.add(name: "Urgency", value: message.urgency.rawValue)
    if let topic = message.topic { head.headers.add(name: "Topic", value: topic) }
    return PushRequest(head: head, body: ByteBuffer(bytes: body), completion: completion)
  }

  private static func rejected(_ error: any Error) -> DeliveryResult.Outcome {
    .rejected(reason: "The message can’t be encrypted: \(error)")
  }

  /// Withdraws the unsent messages; ``results`` delivers them as unsent.
  public func withdraw() {
    loop.execute { [connections] in connections.value.withdraw() }
  }

  func close() {
    results.finish()
    loop.execute { [connections] in connections.value.close() }
  }
}
