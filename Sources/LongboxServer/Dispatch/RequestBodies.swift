// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore
import NIOCore
import Synchronization

/// Reads request bodies, and limits how many large ones are in memory at a time, and how long they are together.
///
/// A client whose bodies don't fit into its libraries waits before it sends more: reading and merging one takes long.
final class RequestBodies: Sendable {
  /// A number of large bodies, and their bytes: what may be in memory, or is.
  struct Amount: Sendable {
    var count = 0
    var bytes = 0

    fileprivate func hasRoom(for bytes: Int, within most: Amount) -> Bool {
      count < most.count && self.bytes + bytes <= most.bytes
    }
  }

  /// The maximum length of a small body, in bytes.
  static let small = 64 << 10

  private let most: Amount
  private let mostOfClient: Amount
  private let incidents: IncidentLog
  private let now: @Sendable () -> Date
  /// Counts the large bodies of an address that didn't fit.
  private let largeMisfits = AddressRateLimiter(burst: 4, interval: 60)
  /// Counts the small ones, which a household may go on sending after large ones that didn't fit.
  private let smallMisfits = AddressRateLimiter(burst: 40, interval: 5)
  private let amounts = Mutex<[ClientAddress: Amount]>([:])

  /// Creates a reader.
  ///
  /// One client with slow uploads must not keep others from sending.
  /// - Parameters:
  ///   - most: the large bodies at a time.
  ///   - mostOfClient: those of one client.
  ///   - incidents: logs rejections.
  ///   - now: the time.
  init(
    most: Amount = Amount(count: 24, bytes: 128 << 20),
    mostOfClient: Amount = Amount(count: 4, bytes: 32 << 20),
    incidents: IncidentLog,
    now: @escaping @Sendable () -> Date
  ) {
    self.most = most
    self.mostOfClient = mostOfClient
    self.incidents = incidents
    self.now = now
  }

  /// Reads a request's body and passes it to `work`.
  /// - Parameters:
  ///   - request: the request.
  ///   - client: who sends it.
  ///   - limit: the maximum length of the body, in bytes.
  ///   - work: processes the body.
  /// - Throws: `HTTPError` with status 413 if the body is longer, with status 503 if too many large bodies
  ///   are in progress, with status 429 if too many of the client's bodies didn't fit; what `work` throws.
  func withBody<Result>(
    of request: Request,
    from client: ClientAddress,
    upTo limit: Int,
    _ work: (ByteBuffer) async throws -> Result
  ) async throws -> Result {
    // A body without `Content-Length` counts as large.
    let promised = request.headers[.contentLength].flatMap { Int($0) } ?? .max
    guard promised > Self.small else {
      return try await counting(smallMisfits, of: client) {
        try await work(request.body.collect(upTo: limit))
      }
    }
    let bytes = min(promised, limit)
    guard begin(client, bytes) else {
      incidents.note(.largeBodies, "\(client)")
      throw HTTPError(
        .serviceUnavailable,
        headers: [.retryAfter: "5"],
        message: "Several libraries are being sent at this moment. Try again in a few seconds."
      )
    }
    defer { end(client, bytes) }
    return try await counting(largeMisfits, of: client) { try await work(request.body.collect(upTo: limit)) }
  }

  /// Does the work unless too many of the client's bodies didn't fit, and counts this one if it doesn't.
  private func counting<Result>(
    _ misfits: AddressRateLimiter,
    of client: ClientAddress,
    _ work: () async throws -> Result
  ) async throws -> Result {
    if let seconds = misfits.wait(client, at: now()) {
      incidents.note(.largeBodies, "\(client)")
      throw HTTPError(
        .tooManyRequests,
        headers: [.retryAfter: "\(seconds)"],
        message:
          "Libraries that come from your network don’t fit. Nothing was changed or lost. Try again later."
      )
    }
    do {
      return try await work()
    } catch {
      if Self.isMisfit(error) { _ = misfits.take(client, at: now()) }
      throw error
    }
  }

  private static func isMisfit(_ error: any Error) -> Bool {
    if case StoreError.quota = error { return true }
    return error is TooManyNew
  }

  private func begin(_ client: ClientAddress, _ bytes: Int) -> Bool {
    amounts.withLock { amounts in
      let all = amounts.values.reduce(into: Amount()) { sum, amount in
        sum.count += amount.count
        sum.bytes += amount.bytes
      }
      var mine = amounts[client] ?? Amount()
      guard mine.hasRoom(for: bytes, within: mostOfClient), all.hasRoom(for: bytes, within: most) else {
        return false
      }
      mine.count += 1
      mine.bytes += bytes
      amounts[client] = mine
      return true
    }
  }

  private func end(_ client: ClientAddress, _ bytes: Int) {
    amounts.withLock { amounts in
      guard var mine = amounts[client], mine.count > 1 else { return amounts[client] = nil }
      mine.count -= 1
      mine.bytes -= bytes
      amounts[client] = mine
    }
  }
}

extension FormFields {
  /// Parses the body of a form from one of our own pages.
  /// - Throws: `HTTPError` if the form comes from another site or is too long.
  init(of request: Hummingbird.Request, _ context: ServerContext) async throws {
    try SameOrigin.check(request)
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    self.init(Text(body.readableBytesView))
  }
}
