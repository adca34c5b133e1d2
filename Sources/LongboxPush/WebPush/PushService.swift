// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
public import Foundation
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
  public func enqueue(_ messages: some Sequence<Message>) {
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
      let reason = "The push service can’t be reached: \(ConnectionFailure.reason(error).prefix(160))."
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

/// The result of sending a ``Message``.
public struct DeliveryResult: Sendable {
  public enum Outcome: Equatable, Sendable {
    /// The push service accepted the message.
    case delivered
    /// The subscription no longer exists (404 or 410); send nothing to it again.
    case gone
    /// The push service is overloaded or failing; try again later.
    case later(after: Duration?, reason: String)
    /// The push service didn't answer; it may have accepted the message.
    case unanswered(reason: String)
    /// The push service rejects this server (401 or 403): the subscription is bound to another key, or the token is wrong.
    case unauthorized(reason: String)
    /// The push service rejects this message permanently.
    case rejected(reason: String)
    /// The message was withdrawn before it was sent.
    case unsent
  }

  public let message: Message.ID
  public let outcome: Outcome
}

/// The results of deliveries, for one consumer.
///
/// Each read returns all results since the previous one, so a slow consumer gets larger batches.
public final class DeliveryResults: AsyncSequence, Sendable {
  private let waiting = Mutex<[DeliveryResult]>([])
  private let (arrivals, arrival) = AsyncStream.makeStream(
    of: Void.self,
    bufferingPolicy: .bufferingNewest(1)
  )

  init() {}

  func add(_ result: DeliveryResult) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(result)
      return waiting.count == 1
    }
    if isFirst { arrival.yield() }
  }

  func finish() {
    arrival.finish()
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(results: self, arrivals: arrivals.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let results: DeliveryResults
    fileprivate var arrivals: AsyncStream<Void>.Iterator

    /// All results since the last call; nil after the end.
    public mutating func next() async -> [DeliveryResult]? {
      guard await arrivals.next() != nil else { return nil }
      return results.waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
    }
  }
}

/// A push service's answer.
private struct PushReply {
  let status: HTTPResponseStatus
  let headers: HTTPHeaders
  /// The body; nil if it was too long, late or cut, and then the status counts alone.
  let body: ByteBuffer?

  /// The maximum length of a body in bytes; longer ones are not read.
  static let limit = 4096
  /// The maximum length of a quoted body in bytes.
  private static let shown = 200

  /// The result by the status (RFC 8030, section 5; RFC 8291; and the services' documentation).
  /// - Parameter now: for a date in `Retry-After`.
  func outcome(now: Date) -> DeliveryResult.Outcome {
    switch status.code {
    case 200...299: return .delivered
    case 401, 403: return .unauthorized(reason: "The push service answered \(status.code)\(said).")
    case 404, 410: return .gone
    case 408, 429, 500...599:
      return .later(
        after: RetryPause.requested(headers.first(name: "Retry-After"), now: now),
        reason: "The push service answered \(status.code)\(said)."
      )
    case 300...399:
      return .rejected(
        reason: "The push service answered with a redirect (\(status.code)), which Longbox doesn’t follow."
      )
    default: return .rejected(reason: "The push service answered \(status.code)\(said).")
    }
  }

  /// The body's beginning, in one line of ASCII.
  private var said: String {
    guard let body, body.readableBytes > 0 else { return "" }
    let line = String(decoding: body.readableBytesView.prefix(Self.shown), as: UTF8.self)
      .map { $0.isNewline || $0.isWhitespace ? " " : $0 }
      .filter { $0.isASCII && ($0.asciiValue ?? 0) >= 0x20 }
    return ": " + String(line)
  }
}

extension HTTPClientResponse {
  /// The whole body; nil if it is too long, late or cut.
  func body(upTo limit: Int, until deadline: ContinuousClock.Instant) async -> ByteBuffer? {
    await withTaskGroup(of: ByteBuffer?.self) { group in
      group.addTask { try? await body.collect(upTo: limit) }
      group.addTask {
        try? await Task.sleep(until: deadline)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}

/// The time to wait before sending a message again.
public enum RetryPause {
  /// The pause after an attempt.
  ///
  /// It starts at 30 seconds and doubles up to six hours, or is what the service asked for if that is
  /// longer. Up to 50 % of jitter spreads the retries of messages that failed together.
  /// - Parameters:
  ///   - attempts: the number of attempts so far, at least 1.
  ///   - requested: what the service asked for.
  ///   - jitter: from 0 to 1.
  /// - Returns: seconds, at most two days.
  public static func seconds(attempts: Int, requested: Duration?, jitter: Double) -> TimeInterval {
    let doubled = min(30 * pow(2, Double(max(attempts, 1) - 1)), 6 * 3600)
    let requested = requested.map { TimeInterval($0.components.seconds) } ?? 0
    return min(max(doubled, requested) * (1 + jitter / 2), 2 * 86_400)
  }

  /// Parses `Retry-After` (RFC 9110, section 10.2.3), a number of seconds or a date.
  ///
  /// The date is parsed by Foundation: this module imports none of Longbox's, so it can't use `HTTPDate` of LongboxCore.
  /// - Returns: at most a day; nil if invalid.
  static func requested(_ field: String?, now: Date) -> Duration? {
    guard let field = field?.trimmingCharacters(in: .whitespaces), !field.isEmpty else { return nil }
    let day = 86_400.0
    if field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Double(field) ?? day, day))
    }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = .gmt
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let date = format.date(from: field) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now).rounded(.up), 0), day))
  }
}
