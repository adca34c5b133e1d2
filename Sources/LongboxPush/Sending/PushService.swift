// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The way to one push service.
public struct PushService: Sendable {
  /// What becomes of letters.
  public let deliveries = PushDeliveries()
  private let loop: any EventLoop
  private let connections: NIOLoopBound<PushConnections>
  /// What is the same in all heads.
  private let head: HTTPHeaders

  /// How long a token for a service holds; a day is the longest (RFC 8292, section 2).
  private static let tokenTime: TimeInterval = 12 * 3600
  /// Texts are filled up to a multiple of this, so that the length of a message says little of what it is about.
  private static let grain = 256

  init(over way: PushConnections.Way, for sender: PushSender) async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    self.loop = loop
    connections = try await loop.submit {
      let connections = PushConnections(on: loop, way: way, limits: sender.limits, now: sender.now)
      return NIOLoopBound(connections, eventLoop: loop)
    }
    .get()
    let authorization = try sender.keys.authorization(
      for: way.service,
      contact: sender.contact,
      until: sender.now().addingTimeInterval(Self.tokenTime)
    )
    head = [
      "Host": way.service.authority, "Authorization": authorization, "Content-Encoding": "aes128gcm",
      "Content-Type": "application/octet-stream",
    ]
  }

  /// Encrypts and sends a message.
  /// - Parameters:
  ///   - message: what to say.
  ///   - endpoint: one of this service.
  ///   - keys: of the same subscription.
  public func send(
    _ message: PushMessage,
    to endpoint: PushEndpoint,
    _ keys: SubscriberKeys
  ) async -> PushOutcome {
    let letter = PushLetter(number: 0, message: message, endpoint: endpoint, keys: keys)
    let sealed: SealedMessage
    do {
      sealed = try seal(letter)
    } catch {
      return Self.refused(error)
    }
    let outcome = await withCheckedContinuation { continuation in
      loop.execute { [connections] in
        connections.value.send([.init(message: sealed) { continuation.resume(returning: $0) }])
      }
    }
    return outcome ?? .unanswered(reason: "The message was not sent.")
  }

  /// Encrypts messages, which takes a tenth of a millisecond each, and sends them; what becomes of them comes by
  /// ``deliveries``.
  public func send(_ letters: some Collection<PushLetter>) {
    var sealed: [(number: Int64, message: SealedMessage)] = []
    for letter in letters {
      do {
        sealed.append((letter.number, try seal(letter)))
      } catch {
        deliveries.add(PushDelivery(number: letter.number, outcome: Self.refused(error)))
      }
    }
    loop.execute { [connections, deliveries, sealed] in
      connections.value.send(
        sealed.map { number, message in
          .init(message: message) { deliveries.add(PushDelivery(number: number, outcome: $0)) }
        }
      )
    }
  }

  private func seal(_ letter: PushLetter) throws -> SealedMessage {
    let message = letter.message
    let room = PushMessage.longestText - message.text.count
    let body = try MessageEncryption.encrypt(
      message.text,
      for: letter.keys,
      padding: max(0, min(Self.grain - 1 - message.text.count % Self.grain, room))
    )
    var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: letter.endpoint.target, headers: head)
    head.headers.add(name: "Content-Length", value: "\(body.count)")
    head.headers.add(name: "TTL", value: "\(message.timeToLive)")
    head.headers.add(name: "Urgency", value: message.urgency.rawValue)
    if let topic = message.topic { head.headers.add(name: "Topic", value: topic) }
    return SealedMessage(head: head, body: ByteBuffer(bytes: body))
  }

  private static func refused(_ error: any Error) -> PushOutcome {
    .refused(reason: "The message can’t be encrypted: \(error)")
  }

  /// Gives back what was not sent yet, by ``deliveries``.
  public func withdraw() {
    loop.execute { [connections] in connections.value.withdraw() }
  }

  /// Closes the connections.
  func close() {
    deliveries.finish()
    loop.execute { [connections] in connections.value.close() }
  }
}
