// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks xkcd for comics: JSON records and pictures.
public struct XkcdClient: Sendable {
  /// Limits on size and time.
  public struct Limits: Equatable, Sendable {
    /// The longest record in bytes.
    public var recordBytes = XkcdRecord.byteLimit
    /// The longest page that shows a larger version, in bytes; they have some 300.
    public var pageBytes = 256 << 10
    /// The longest picture in bytes; 99 of 100 pictures at 1x stay below 350 KB.
    public var pictureBytes = 32 << 20
    /// The time limit for a record.
    public var recordTime = Duration.seconds(20)
    /// The time limit for a picture.
    public var pictureTime = Duration.seconds(60)

    /// Makes the default limits.
    public init() {}
  }

  private let source: SourceClient
  private let addresses: XkcdAddresses
  private let limits: Limits

  /// Makes a client.
  /// - Parameters:
  ///   - source: sends requests, under a policy.
  ///   - addresses: where xkcd is.
  ///   - limits: limits on size and time.
  public init(source: SourceClient, addresses: XkcdAddresses = .standard, limits: Limits = Limits()) {
    self.source = source
    self.addresses = addresses
    self.limits = limits
  }

  /// Makes a client without pace and retries, for samples and tests.
  public init(transport: Transport, addresses: XkcdAddresses = .standard, limits: Limits = Limits()) {
    self.init(source: SourceClient(over: transport), addresses: addresses, limits: limits)
  }

  /// The record of the latest comic.
  /// - Parameters:
  ///   - validator: the validator of the stored record, so that an unchanged one is not sent.
  ///   - priority: whether a reader waits.
  public func latest(
    validator: Validator? = nil,
    priority: RequestPriority = .current
  ) async throws(UpstreamError) -> Conditional<XkcdRecord> {
    try await record(at: addresses.latest, "latest comic", validator, priority)
  }

  /// The record of a comic.
  public func comic(
    numbered number: Comic.Number,
    priority: RequestPriority = .current
  ) async throws(UpstreamError) -> XkcdRecord {
    switch try await comic(numbered: number, validator: nil, priority: priority) {
    case .fresh(let record, _): return record
    // Unreachable: the status check rejects a 304 that wasn't requested.
    case .notModified:
      throw .malformed(
        .xkcd,
        at: "comic \(number.value): the answer is “not modified”, although Longbox sent no validator"
      )
    }
  }

  /// The record of a comic, unless it is unchanged.
  /// - Parameters:
  ///   - number: which comic.
  ///   - validator: the validator of the stored record.
  ///   - priority: whether a reader waits.
  public func comic(
    numbered number: Comic.Number,
    validator: Validator?,
    priority: RequestPriority = .current
  ) async throws(UpstreamError) -> Conditional<XkcdRecord> {
    let subject = "comic \(number.value)"
    let reply = try await record(at: addresses.record(of: number), subject, validator, priority)
    if case .fresh(let record, _) = reply, record.number != number {
      throw .malformed(.xkcd, at: "\(subject): it is the record of comic \(record.number.value)")
    }
    return reply
  }

  /// The bytes of what should be a picture.
  /// - Parameters:
  ///   - address: `img` of a record, such as ``Comic/pictureAddress``.
  ///   - doubleSize: whether to ask for the double-size picture, which the API doesn't mention.
  ///   - priority: whether a reader waits.
  /// - Throws: ``UpstreamError/notFound(_:subject:)`` if there is none, which is usual for `doubleSize`;
  ///   ``UpstreamError/rejected(_:_:)`` if it is not the address of an xkcd picture.
  public func picture(
    at address: Text,
    doubleSize: Bool = false,
    priority: RequestPriority = .current
  ) async throws(UpstreamError) -> [UInt8] {
    guard let place = addresses.picture(at: address, doubleSize: doubleSize) else {
      throw .rejected(.xkcd, .address(String(address.description.prefix(200))))
    }
    let name = place.target.split(separator: "/").last ?? ""
    let subject = "picture \(name)"
    return try await source.send(
      exchange(subject, place, bytes: limits.pictureBytes, time: limits.pictureTime),
      priority: priority
    ).body
  }

  /// The bytes of what should be the larger version of a comic's picture.
  ///
  /// A page is asked for first, and then the largest picture on it that is on xkcd.com or imgs.xkcd.com.
  /// - Parameters:
  ///   - link: the address to which the comic links.
  ///   - version: what it leads to.
  ///   - priority: whether a reader waits.
  /// - Throws: ``UpstreamError/notFound(_:subject:)`` if there is no picture; ``UpstreamError/rejected(_:_:)`` if it is
  ///   no address of xkcd.
  public func largerVersion(
    at link: Text,
    _ version: LargerVersion,
    priority: RequestPriority = .current
  ) async throws(UpstreamError) -> [UInt8] {
    guard let place = addresses.anything(at: link), version != .document else {
      throw .rejected(.xkcd, .address(String(link.description.prefix(200))))
    }
    let subject = "larger version \(place.target.prefix(200))"
    var address = place
    if version == .page {
      let page = try await source.send(
        exchange(subject, place, bytes: limits.pageBytes, time: limits.recordTime),
        priority: priority
      ).body
      let found = LargerPicturePage.picture(in: page, at: link).flatMap(addresses.anything)
      guard let found else { throw .notFound(.xkcd, subject: subject) }
      address = found
    }
    return try await source.send(
      exchange(subject, address, bytes: limits.pictureBytes, time: limits.pictureTime),
      priority: priority
    ).body
  }

  private func record(
    at address: WebAddress,
    _ subject: String,
    _ validator: Validator?,
    _ priority: RequestPriority
  ) async throws(UpstreamError) -> Conditional<XkcdRecord> {
    var request = exchange(subject, address, bytes: limits.recordBytes, time: limits.recordTime)
    request.validator = validator
    let reply = try await source.send(request, priority: priority)
    guard reply.status != 304 else { return .notModified }
    do throws(XkcdRecord.RecordFault) {
      return .fresh(try XkcdRecord(raw: reply.body), reply.validator)
    } catch {
      throw .malformed(.xkcd, at: "\(subject): \(error)")
    }
  }

  private func exchange(_ subject: String, _ address: WebAddress, bytes: Int, time: Duration) -> Exchange {
    Exchange(source: .xkcd, subject: subject, address: address, byteLimit: bytes, timeLimit: time)
  }
}
