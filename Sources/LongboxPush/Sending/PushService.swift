// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Sends messages to one push service, by HTTP/2 where the service offers it.
public struct PushService: Sendable {
  /// The results of messages sent in batches.
  public let results = DeliveryResults()
  private let client: HTTPClient
  private let limits: PushSender.Limits
  private let observer: (@Sendable (DeliveryResult.Outcome) -> Void)?
  private let now: @Sendable () -> Date
  /// The headers that all requests share.
  private let headers: HTTPHeaders
  private let queue: AsyncStream<Message>
  private let queueInput: AsyncStream<Message>.Continuation
  private let withdrawn = Withdrawn()

  /// The lifetime of a token; the maximum is a day (RFC 8292, section 2).
  private static let tokenTime: TimeInterval = 12 * 3600
  /// Texts are padded to a multiple of this, so that a message's length reveals little.
  private static let grain = 256

  init(_ service: PushEndpoint.Origin, over client: HTTPClient, for sender: PushSender) throws {
    (queue, queueInput) = AsyncStream.makeStream()
    self.client = client
    limits = sender.limits
    observer = sender.observer
    now = sender.now
    let authorization = try sender.keys.authorization(
      for: service,
      contact: sender.contact,
      until: sender.now().addingTimeInterval(Self.tokenTime)
    )
    headers = [
      "Authorization": authorization, "Content-Encoding": "aes128gcm",
      "Content-Type": "application/octet-stream",
    ]
  }

  /// Encrypts and sends a message to an endpoint of this service.
  public func send(_ message: Message) async -> DeliveryResult.Outcome {
    await deliver(message).outcome
  }

  /// Queues messages; their results arrive by ``results``.
  public func send(_ messages: some Sequence<Message>) {
    for message in messages { queueInput.yield(message) }
  }

  /// Withdraws the messages that are still in the queue; ``results`` delivers them as unsent.
  public func withdraw() {
    withdrawn.set()
  }

  /// Sends the queued messages until the task is cancelled.
  ///
  /// The number in progress starts small, since each message needs a connection of its own until the service
  /// has agreed to HTTP/2. It doubles with each round of answers, and halves when a connection fails.
  func run() async {
    var window = min(Self.firstWindow, limits.inProgress)
    await withTaskGroup(of: Attempt.self) { group in
      var inProgress = 0
      for await message in queue {
        while inProgress >= window, let attempt = await group.next() {
          inProgress -= 1
          window = attempt.isConnectionLost ? max(1, window / 2) : min(window + 1, limits.inProgress)
        }
        inProgress += 1
        // Low priority: storing earlier results comes first.
        group.addTask(priority: .utility) {
          let attempt = withdrawn.isSet ? Attempt(outcome: .unsent) : await deliver(message)
          results.add(DeliveryResult(message: message.id, outcome: attempt.outcome))
          return attempt
        }
      }
    }
    results.finish()
  }

  private static let firstWindow = 16

  /// How an attempt to send a message ended.
  private struct Attempt: Sendable {
    var outcome: DeliveryResult.Outcome
    /// Whether there was no connection, or it broke.
    var isConnectionLost = false
  }

  private func deliver(_ message: Message) async -> Attempt {
    let attempt: Attempt
    do {
      attempt = await exchange(try request(for: message))
    } catch {
      attempt = Attempt(outcome: .rejected(reason: "The message can’t be encrypted: \(error)"))
    }
    observer?(attempt.outcome)
    return attempt
  }

  /// Encrypts a message, which takes some 0.2 ms.
  private func request(for message: Message) throws -> HTTPClientRequest {
    let room = Message.longestText - message.text.count
    let body = try MessageEncryption.encrypt(
      message.text,
      for: message.keys,
      padding: max(0, min(Self.grain - 1 - message.text.count % Self.grain, room))
    )
    var request = HTTPClientRequest(url: message.endpoint.description)
    request.method = .POST
    request.headers = headers
    request.headers.add(name: "TTL", value: "\(message.timeToLive)")
    request.headers.add(name: "Urgency", value: message.urgency.rawValue)
    if let topic = message.topic { request.headers.add(name: "Topic", value: topic) }
    request.body = .bytes(body)
    return request
  }

  private func exchange(_ request: HTTPClientRequest) async -> Attempt {
    let deadline = ContinuousClock.now + limits.time
    do {
      let response = try await client.execute(request, timeout: TimeAmount(limits.time))
      let reply = PushReply(
        status: response.status,
        headers: response.headers,
        body: await response.body(upTo: PushReply.limit, until: deadline)
      )
      return Attempt(outcome: reply.outcome(now: now()))
    } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
      return Attempt(outcome: .unanswered(reason: "The push service did not answer in time."))
    } catch let error as HTTPClientError where error == .invalidURL {
      return Attempt(outcome: .rejected(reason: "The address of the subscription can’t be read."))
    } catch {
      let reason = "The push service can’t be reached: " + String(describing: error).prefix(160)
      return Attempt(outcome: .unanswered(reason: reason), isConnectionLost: true)
    }
  }

  /// Whether the queued messages were withdrawn.
  private final class Withdrawn: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
  }
}
