// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPush
import LongboxReaders
import LongboxStore
import NIOCore

/// Handles subscriptions to notifications: `/api/push/key` and `/api/push/subscriptions`.
///
/// Unlike the rest of the API, only our own pages may use it.
struct PushSubscriptionController: Controller {
  let sender: PushSender?
  /// Sends each new subscription its first message.
  let confirmer: SubscriptionConfirmer?
  let catalog: Catalog
  let store: Store
  let rejections: RejectionLog
  /// Limits how many subscriptions a client makes.
  let limiter: any RateLimiter
  /// Logs subscriptions beyond a limit.
  let incidents: IncidentLog
  let now: @Sendable () -> Date

  /// How long a browser waits for its push service to accept the first message.
  private static let confirmationWait = Duration.seconds(5)
  /// The maximum length of a body in bytes: an endpoint, keys and settings.
  private static let bodyLimit = 8 << 10

  private struct Key: Encodable {
    let publicKey: String
  }

  private struct Removal: Decodable {
    let endpoint: String
  }

  private struct Kept: Encodable {
    let wishes: SubscriptionForm.Preferences
    /// Whether the push service has accepted a message.
    let isConfirmed: Bool
    /// Whether it accepted messages before, and now rejects this server's key.
    let isInterrupted: Bool
  }

  var endpoints: [Endpoint] {
    [
      .get("api/push/key") { _, _ in try key() },
      .post("api/push/subscriptions", bodyLimit: Self.bodyLimit) { try await subscribe($0, $1) },
      .delete("api/push/subscriptions", bodyLimit: Self.bodyLimit) { try await unsubscribe($0, $1) },
    ]
  }

  /// The server's public key, which browsers bind subscriptions to.
  private func key() throws -> Response {
    try json(Key(publicKey: known.keys.publicKey), .ok)
  }

  /// Saves a subscription.
  /// - Throws: `HTTPError`, `Problem` or `StoreError`.
  private func subscribe(_ request: Request, _ context: ServerContext) async throws -> Response {
    try check(request)
    let sender = try known
    let form = try await decoded(SubscriptionForm.self, from: request, context)
    let (new, service) = try form.checked(by: sender, library: LibraryCookie(of: request)?.libraryName)
    // Before the host is looked up, so that this doesn't cause many DNS requests.
    if let seconds = try await limiter.take(context.client, at: now()) {
      incidents.note(.newSubscriptions, "\(context.client)")
      throw Problem(
        .tooManyRequests,
        "Too many subscriptions come from your network. Try again later.",
        retryAfter: seconds
      )
    }
    do {
      try await sender.check(service)
    } catch EndpointRejection.unknownHost {
      // The DNS server may be down for now; the host is checked again before each message.
    } catch {
      rejections.note(error, of: service.description)
      throw Problem(.badRequest, error.description, parameter: "endpoint")
    }
    let newest = catalog.snapshot.newestComic
    let saved: StoredSubscription?
    do {
      saved = try await store.subscriptions.save(new, newest: newest, at: now())
    } catch {
      // The first error says more.
      try? await limiter.refund(context.client, at: now())
      throw error
    }
    guard let stored = saved else {
      incidents.note(.subscriptionsInAll, "\(context.client)")
      throw Problem(.serviceUnavailable, "There are too many subscriptions on this server.")
    }
    let outcome = try await confirmation(of: stored)
    let kept = Kept(
      wishes: SubscriptionForm.Preferences(stored.preferences),
      isConfirmed: outcome == .confirmed,
      isInterrupted: outcome == .interrupted
    )
    return try json(kept, .created)
  }

  /// Sends a new subscription its first message; returns what has become of it by now.
  /// - Throws: `Problem` if the push service rejects it; `StoreError`.
  private func confirmation(of stored: StoredSubscription) async throws -> SubscriptionConfirmer.Outcome {
    guard !stored.isConfirmed, let confirmer else { return stored.isConfirmed ? .confirmed : .waiting }
    let outcome = try await confirmer.confirm(stored, within: Self.confirmationWait)
    if case .rejected(let reason) = outcome {
      throw Problem(
        .badRequest,
        "Your browser’s push service doesn’t take messages from this server: \(reason)",
        parameter: "endpoint"
      )
    }
    return outcome
  }

  /// Removes a subscription.
  /// - Throws: `HTTPError`, `Problem` or `StoreError`.
  private func unsubscribe(_ request: Request, _ context: ServerContext) async throws -> Response {
    try check(request)
    let removal = try await decoded(Removal.self, from: request, context)
    try await store.subscriptions.remove(endpoint: removal.endpoint)
    return Response(status: .noContent, headers: [.cacheControl: "no-store"])
  }

  private func check(_ request: Request) throws {
    try SameOrigin.check(request)
    guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
      throw Problem(.unsupportedMediaType, "A subscription has to be application/json.")
    }
  }

  private var known: PushSender {
    get throws(Problem) {
      guard let sender else { throw Problem(.notFound, "This server sends no notifications.") }
      return sender
    }
  }

  private func decoded<Value: Decodable>(
    _ type: Value.Type,
    from request: Request,
    _ context: ServerContext
  ) async throws -> Value {
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    do {
      return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
    } catch {
      throw Problem(.badRequest, "This is not a subscription: docs/push.md says what one looks like.")
    }
  }

  private func json(_ value: some Encodable, _ status: HTTPResponse.Status) throws -> Response {
    Response(
      status: status,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: [UInt8](try JSONEncoder.stable.encode(value))))
    )
  }
}

/// A browser's subscription to notifications: its `PushSubscription` as JSON, and the reader's settings.
struct SubscriptionForm: Decodable {
  struct Keys: Decodable {
    let p256dh: String
    let auth: String
  }

  /// The reader's notification settings.
  struct Preferences: Codable, Equatable {
    struct Quiet: Codable, Equatable {
      let from: String
      let until: String
    }

    var hidesSpoilers: Bool
    /// Nil if the reader may be notified at any hour.
    var quietHours: Quiet?
    var timeZone: String
  }

  let endpoint: String
  let keys: Keys
  /// If missing, the stored settings stay.
  let wishes: Preferences?
  /// The browser's previous endpoint.
  let replaces: String?

  /// Validates everything except the endpoint's host.
  /// - Returns: the subscription and the origin of its push service.
  func checked(by sender: PushSender, library: LibraryName?) throws(Problem) -> (
    NewSubscription, PushEndpoint.Origin
  ) {
    let endpoint: PushEndpoint
    do throws(EndpointRejection) {
      endpoint = try sender.endpoint(self.endpoint)
    } catch {
      throw Problem(.badRequest, error.description, parameter: "endpoint")
    }
    let (publicKey, secret) = (Base64URL.decode(keys.p256dh) ?? [], Base64URL.decode(keys.auth) ?? [])
    do throws(SubscriberKeys.Problem) {
      _ = try SubscriberKeys(publicKey: publicKey, secret: secret)
    } catch {
      throw Problem(.badRequest, error.description, parameter: "keys")
    }
    let new = NewSubscription(
      endpoint: endpoint.description,
      service: endpoint.origin.description,
      publicKey: publicKey,
      secret: secret,
      library: library,
      preferences: try wishes?.checked(),
      replaces: replaces
    )
    return (new, endpoint.origin)
  }
}

extension SubscriptionForm.Preferences {
  init(_ preferences: PushPreferences) {
    hidesSpoilers = preferences.hidesSpoilers
    quietHours = preferences.quietHours.map { Quiet(from: $0.fromText, until: $0.untilText) }
    timeZone = preferences.timeZone
  }

  fileprivate func checked() throws(Problem) -> PushPreferences {
    guard timeZone.utf8.count <= 64, TimeZone(identifier: timeZone) != nil else {
      throw Problem(
        .badRequest,
        "The time zone has to be one of the IANA database, such as Europe/Berlin.",
        parameter: "timeZone"
      )
    }
    var hours: QuietHours?
    if let quietHours {
      hours = QuietHours(from: quietHours.from, until: quietHours.until)
      guard hours != nil else {
        throw Problem(
          .badRequest,
          "Quiet hours have to begin and end at two different times such as 22:00 and 07:30.",
          parameter: "quietHours"
        )
      }
    }
    return PushPreferences(hidesSpoilers: hidesSpoilers, quietHours: hours, timeZone: timeZone)
  }
}
