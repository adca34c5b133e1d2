// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Crypto
public import Foundation
import NIOCore
import NIOHTTP1

/// Sends messages to the operator's hooks.
///
/// The operator chose the addresses, so they may be of a private network. Redirects are not followed.
public struct HookSender: Sendable {
  /// The hooks, each once.
  public let hooks: [Hook]
  /// Signs the messages to plain hooks; nil for no signature.
  private let secret: SymmetricKey?
  private let userAgent: String
  var time = Duration.seconds(10)
  /// What stands in for the origins of services, for tests.
  var origins: [String: String] = [:]
  private let now: @Sendable () -> Date

  /// Makes a sender.
  /// - Parameters:
  ///   - hooks: where to send; repeated ones count once.
  ///   - secret: signs the messages to plain hooks.
  ///   - userAgent: the value of `User-Agent`.
  ///   - now: the time.
  public init(
    _ hooks: [Hook],
    secret: String? = nil,
    userAgent: String,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    var known: Set<Hook.ID> = []
    self.hooks = hooks.filter { known.insert($0.id).inserted }
    self.secret = secret.map { SymmetricKey(data: Array($0.utf8)) }
    self.userAgent = userAgent
    self.now = now
  }

  /// Sends a message once.
  /// - Parameters:
  ///   - message: the message.
  ///   - hook: where to.
  ///   - id: identifies the delivery; the same for all its tries.
  public func send(_ message: HookMessage, to hook: Hook, id: String) async -> Hook.Outcome {
    do {
      let request = try request(message, hook, id)
      var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
      configuration.timeout.connect = TimeAmount(time)
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.decompression = .disabled
      let reply = try await HTTPClient.withHTTPClient(configuration: configuration) { client in
        let deadline = ContinuousClock.now + time
        let response = try await client.execute(request, timeout: TimeAmount(time))
        return HookReply(
          status: Int(response.status.code),
          retryAfter: response.headers.first(name: "Retry-After"),
          body: await response.body(upTo: HookReply.limit, until: deadline).map {
            Array($0.readableBytesView)
          }
        )
      }
      return reply.outcome(of: hook, now: now())
    } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
      return .later(after: nil, reason: "\(hook.name) did not answer in time.")
    } catch let error as HTTPClientError where error == .invalidURL {
      return .rejected(reason: "The address of \(hook.name) can’t be used.")
    } catch {
      let cause = String(hook.hiding(secretsIn: ConnectionFailure.reason(error)).prefix(160))
      return .later(after: nil, reason: "\(hook.name) can’t be reached: \(cause).")
    }
  }

  /// Sends a test to the hook at a place of the list.
  public func test(_ place: Int, with message: HookMessage) async -> Hook.Outcome {
    await send(message, to: hooks[place], id: "test-\(UUID().uuidString.lowercased())")
  }

  private func request(_ message: HookMessage, _ hook: Hook, _ id: String) throws -> HTTPClientRequest {
    let body = try hook.service.body(message, hook)
    var url = hook.target.url
    for (origin, other) in origins where url.hasPrefix(origin + "/") {
      url = other + url.dropFirst(origin.count)
    }
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers = ["Content-Type": "application/json", "User-Agent": userAgent]
    if let authorization = hook.target.authorization {
      request.headers.add(name: "Authorization", value: authorization)
    }
    if hook.service.isPlain {
      request.headers.add(name: "X-Longbox-Event", value: message.isTest ? "test" : "comic")
      request.headers.add(name: "X-Longbox-Delivery", value: id)
      if let secret {
        let code = HMAC<SHA256>.authenticationCode(for: body, using: secret)
        request.headers.add(name: "X-Longbox-Signature", value: code.hexadecimal)
      }
    }
    request.body = .bytes(body)
    return request
  }
}

/// A service's answer.
struct HookReply {
  let status: Int
  let retryAfter: String?
  /// The body; nil if it was too long, late or cut, and then the status counts alone.
  let body: [UInt8]?

  /// The maximum length of a body in bytes; longer ones are not read.
  static let limit = 16 << 10
  /// The maximum length of a quoted text.
  private static let shown = 160

  /// What a service may say in JSON.
  struct Details: Decodable {
    var id: String?
    var ok: Bool?
    /// The error in words: ntfy's `error`, Discord's and Mattermost's `message`, Telegram's `description`.
    var error: String?
    /// Seconds, in Discord's body and in the parameters of Telegram's.
    var retryAfter: Double?

    private enum Key: String, CodingKey {
      case id, ok, error, message, description, parameters
      case retryAfter = "retry_after"
    }

    init() {}

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      id = try? fields.decode(String.self, forKey: .id)
      ok = try? fields.decode(Bool.self, forKey: .ok)
      for key in [Key.error, .description, .message] where error == nil {
        error = try? fields.decode(String.self, forKey: key)
      }
      let inner = try? fields.nestedContainer(keyedBy: Key.self, forKey: .parameters)
      for fields in [fields, inner].compactMap(\.self) where retryAfter == nil {
        retryAfter = try? fields.decode(Double.self, forKey: .retryAfter)
      }
    }
  }

  /// What the answer means: 2xx is an acknowledgement; 408, 429 and 5xx are tried again; everything else is final.
  func outcome(of hook: Hook, now: Date) -> Hook.Outcome {
    let details = body.flatMap { try? JSONDecoder().decode(Details.self, from: Data($0)) }
    let answer = "\(hook.name) answered \(status)"
    switch status {
    case 200...299:
      guard body == nil || hook.service.acknowledges(details ?? Details()) else {
        return .rejected(reason: "\(answer), but not as \(hook.service.name) does. Is the address right?")
      }
      return .delivered
    case 300...399:
      return .rejected(
        reason: "\(answer), a redirect, which Longbox doesn’t follow. Use the address that it leads to."
      )
    case 408, 429, 500...599:
      let asked = details?.retryAfter.flatMap { (0...86_400).contains($0) ? Duration.seconds($0) : nil }
      let pause = [RetryPause.requested(retryAfter, now: now), asked].compactMap(\.self).max()
      return .later(after: pause, reason: answer + said(details, hook))
    default: return .rejected(reason: answer + said(details, hook))
    }
  }

  /// The error in words, in one line of ASCII without the hook's secrets.
  private func said(_ details: Details?, _ hook: Hook) -> String {
    guard let body, !body.isEmpty else { return "." }
    let text = hook.hiding(secretsIn: details?.error ?? String(decoding: body.prefix(2000), as: UTF8.self))
    let line = text.map { $0.isNewline || $0.isWhitespace ? " " : $0 }
      .filter { $0 == "…" || ($0.isASCII && ($0.asciiValue ?? 0) >= 0x20) }
    return ": " + String(line.prefix(Self.shown))
  }
}
