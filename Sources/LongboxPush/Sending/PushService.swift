// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1

/// The way to one push service.
public struct PushService: Sendable {
  private let sender: PushSender
  private let client: HTTPClient
  private let authorization: String

  /// How long a token for a service holds; a day is the longest (RFC 8292, section 2).
  private static let tokenTime: TimeInterval = 12 * 3600
  /// Texts are filled up to a multiple of this, so that the length of a message says little of what it is about.
  private static let grain = 256
  /// How much is read of what a service says; longer answers end the connection.
  private static let replyLimit = 4096

  init(at service: PushEndpoint.Origin, for sender: PushSender, over client: HTTPClient) throws {
    self.sender = sender
    self.client = client
    authorization = try sender.keys.authorization(
      for: service,
      contact: sender.contact,
      until: sender.now().addingTimeInterval(Self.tokenTime)
    )
  }

  /// Encrypts and sends a message.
  /// - Parameters:
  ///   - message: what to say.
  ///   - endpoint: one of this service.
  ///   - keys: of the same subscription.
  public func send(_ message: PushMessage, to endpoint: PushEndpoint, _ keys: SubscriberKeys) async
    -> PushOutcome
  {
    do {
      let request = try request(message, to: endpoint, keys)
      let response = try await client.execute(request, timeout: TimeAmount(sender.limits.time))
      return await outcome(of: response)
    } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
      return .unanswered(reason: "The push service did not answer in time.")
    } catch let error as HTTPClientError {
      return .unanswered(reason: "The push service can’t be reached: \(error.shortDescription)")
    } catch {
      return .unanswered(reason: "The push service can’t be reached: \(String("\(error)".prefix(160)))")
    }
  }

  private func request(
    _ message: PushMessage,
    to endpoint: PushEndpoint,
    _ keys: SubscriberKeys
  ) throws -> HTTPClientRequest {
    var random = SystemRandomNumberGenerator()
    let room = PushMessage.longestText - message.text.count
    let body = try MessageEncryption.encrypt(
      message.text,
      for: keys,
      padding: max(0, min(Self.grain - 1 - message.text.count % Self.grain, room)),
      with: P256.KeyAgreement.PrivateKey(),
      salt: (0..<MessageEncryption.saltLength).map { _ in UInt8.random(in: 0...255, using: &random) }
    )
    var request = HTTPClientRequest(url: endpoint.description)
    request.method = .POST
    request.headers = [
      "Authorization": authorization, "Content-Encoding": "aes128gcm",
      "Content-Type": "application/octet-stream",
      "TTL": "\(message.timeToLive)", "Urgency": message.urgency.rawValue,
    ]
    if let topic = message.topic { request.headers.add(name: "Topic", value: topic) }
    request.body = .bytes(ByteBuffer(bytes: body))
    return request
  }

  /// Tells by the status (RFC 8030, section 5; RFC 8291; and what the services document).
  private func outcome(of response: HTTPClientResponse) async -> PushOutcome {
    let said = await text(of: response)
    let status = response.status.code
    switch status {
    case 200...299: return .delivered
    case 404, 410: return .gone
    case 408, 429, 500...599:
      return .later(
        after: RetryPause.asked(response.headers.first(name: "Retry-After"), now: sender.now()),
        reason: "The push service answered \(status)\(said)."
      )
    case 300...399:
      return .refused(reason: "The push service sent us elsewhere (\(status)), which is not followed.")
    default: return .refused(reason: "The push service answered \(status)\(said).")
    }
  }

  /// What a service says of an error, in brief.
  ///
  /// A short answer is read to its end, so that the connection can serve again; of one that is long or slow the
  /// connection is closed.
  private func text(of response: HTTPClientResponse) async -> String {
    guard response.headers.first(name: "Content-Length") != "0", response.status.code != 204 else {
      // Its end has come with the head; taken in, the connection is free before the next message.
      _ = try? await response.body.collect(upTo: 0)
      return ""
    }
    let bytes = await withTaskGroup(of: [UInt8]?.self) { group in
      group.addTask {
        guard let body = try? await response.body.collect(upTo: Self.replyLimit) else { return nil }
        return Array(body.readableBytesView)
      }
      group.addTask { [limit = sender.limits.time] in
        try? await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    guard let bytes, !bytes.isEmpty else { return "" }
    let line = String(decoding: bytes.prefix(200), as: UTF8.self)
      .map { $0.isNewline || $0.isWhitespace ? " " : $0 }.filter {
        $0.isASCII && ($0.asciiValue ?? 0) >= 0x20
      }
    return ": " + String(line)
  }
}
