// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks xkcd for comics: its JSON records and its pictures.
///
/// What stands before it decides where the answers come from: the network with manners
/// (``Transport/withManners(for:pace:retry:)``), or the sample box.
public struct XkcdClient: Sendable {
  /// How much is taken, and how long it may take.
  public struct Limits: Equatable, Sendable {
    /// The longest record in bytes.
    public var recordBytes = XkcdRecord.byteLimit
    /// The longest picture in bytes: 99 of 100 pictures at 1x stay below 350 KB.
    public var pictureBytes = 32 << 20
    /// The most pixels of a picture, so that no small file unpacks to gigabytes; the tallest, 1732, has 11 million.
    public var picturePixels = 100_000_000
    /// The time for a record.
    public var recordTime = Duration.seconds(20)
    /// The time for a picture.
    public var pictureTime = Duration.seconds(60)

    /// The limits in force unless a test says otherwise.
    public init() {}
  }

  private let transport: Transport
  private let addresses: XkcdAddresses
  private let limits: Limits

  /// Makes a client.
  /// - Parameters:
  ///   - transport: where requests go. A reply whose status is an error becomes one here, if it isn't yet.
  ///   - addresses: where xkcd is.
  ///   - limits: how much is taken.
  public init(transport: Transport, addresses: XkcdAddresses = .standard, limits: Limits = Limits()) {
    self.transport = transport.checkingStatus()
    self.addresses = addresses
    self.limits = limits
  }

  /// The record of the latest comic.
  /// - Parameter validator: of the record at hand, so that nothing is sent where there is no newer one.
  public func latest(validator: Validator? = nil) async throws(UpstreamError) -> Conditional<XkcdRecord> {
    try await record(at: addresses.latest, "latest comic", validator)
  }

  /// The record of a comic.
  public func comic(numbered number: Comic.Number) async throws(UpstreamError) -> XkcdRecord {
    switch try await comic(numbered: number, validator: nil) {
    case .fresh(let record, _): return record
    // The status check lets no "not modified" through that wasn't asked for.
    case .notModified:
      throw .malformed(.xkcd, at: "comic \(number.value): “not modified”, though no version was named")
    }
  }

  /// The record of a comic, unless it is still the one at hand.
  /// - Parameters:
  ///   - number: which comic.
  ///   - validator: of the record at hand.
  public func comic(
    numbered number: Comic.Number,
    validator: Validator?
  ) async throws(UpstreamError) -> Conditional<XkcdRecord> {
    let subject = "comic \(number.value)"
    let answer = try await record(at: addresses.record(of: number), subject, validator)
    if case .fresh(let record, _) = answer, record.number != number {
      throw .malformed(.xkcd, at: "\(subject): it is the record of comic \(record.number.value)")
    }
    return answer
  }

  /// A picture, checked to be a whole PNG, JPEG or GIF.
  /// - Parameters:
  ///   - address: `img` of a record, such as ``Comic/pictureAddress``.
  ///   - doubleSize: whether to ask for the picture of twice the resolution, which the API doesn't tell of.
  /// - Throws: ``UpstreamError/notFound(_:subject:)`` where there is none, which is usual for `doubleSize`, and
  ///   ``UpstreamError/refused(_:_:)`` where the address is not one of xkcd's pictures.
  public func picture(at address: Text, doubleSize: Bool = false) async throws(UpstreamError) -> XkcdPicture {
    guard let place = addresses.picture(at: address, doubleSize: doubleSize) else {
      throw .refused(.xkcd, .address(String(address.description.prefix(200))))
    }
    let name = place.target.split(separator: "/").last ?? ""
    let subject = "picture \(name)"
    let reply = try await transport.send(
      exchange(subject, place, bytes: limits.pictureBytes, time: limits.pictureTime)
    )
    let picture: XkcdPicture
    do throws(PictureFault) {
      picture = try XkcdPicture(verifying: reply.body)
    } catch {
      throw .malformed(.xkcd, at: "\(subject): \(error)")
    }
    guard picture.outline.width <= limits.picturePixels / picture.outline.height else {
      throw .refused(.xkcd, .pixels(limit: limits.picturePixels))
    }
    return picture
  }

  private func record(
    at address: WebAddress,
    _ subject: String,
    _ validator: Validator?
  ) async throws(UpstreamError) -> Conditional<XkcdRecord> {
    var request = exchange(subject, address, bytes: limits.recordBytes, time: limits.recordTime)
    request.validator = validator
    let reply = try await transport.send(request)
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
