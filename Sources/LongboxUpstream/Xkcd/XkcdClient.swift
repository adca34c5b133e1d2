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
    /// How long a record or a page may take, redirects included.
    public var recordTime = Duration.seconds(20)
    /// How long a picture may take.
    public var pictureTime = Duration.seconds(60)

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
    priority: RequestPriority = .background
  ) async throws(UpstreamError) -> Conditional<XkcdRecord> {
    try await record(at: addresses.latest, "latest comic", validator, priority)
  }

  /// The record of a comic, unless it is unchanged.
  /// - Parameters:
  ///   - number: which comic.
  ///   - validator: the validator of the stored record.
  ///   - priority: whether a reader waits.
  public func comic(
    numbered number: Comic.Number,
    validator: Validator?,
    priority: RequestPriority = .background
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
    priority: RequestPriority = .background
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
    priority: RequestPriority = .background
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

/// The addresses of xkcd and its pictures, or of what replaces them.
///
/// ## Configuration keys
/// - `LONGBOX_XKCD_URL` (default `https://xkcd.com`): `{url}/info.0.json` and `{url}/{n}/info.0.json`.
/// - `LONGBOX_XKCD_IMAGES_URL` (default `https://imgs.xkcd.com`): replaces that scheme and host in `img`.
public struct XkcdAddresses: Hashable, Sendable {
  /// The address before `/info.0.json`.
  public let site: WebAddress
  /// The replacement of `https://imgs.xkcd.com`.
  public let images: WebAddress

  public static var standard: XkcdAddresses {
    XkcdAddresses(
      site: WebAddress(origin: .init(scheme: .https, host: "xkcd.com", port: 443), target: "/"),
      images: WebAddress(origin: .init(scheme: .https, host: "imgs.xkcd.com", port: 443), target: "/")
    )
  }

  private init(site: WebAddress, images: WebAddress) {
    self.site = site
    self.images = images
  }

  /// Parses the operator's addresses, which may be private or loopback.
  /// - Parameters:
  ///   - site: `LONGBOX_XKCD_URL`, or nil for xkcd itself.
  ///   - images: `LONGBOX_XKCD_IMAGES_URL`, or nil for xkcd itself.
  /// - Throws: ``SettingError/address(setting:value:)``.
  public init(site: String?, images: String?) throws(SettingError) {
    let standard = Self.standard
    self.site = try WebAddress(base: site, setting: "LONGBOX_XKCD_URL", default: standard.site)
    self.images = try WebAddress(base: images, setting: "LONGBOX_XKCD_IMAGES_URL", default: standard.images)
  }

  /// The allowed hosts: those configured, and xkcd's own for redirects.
  public var origins: Set<WebAddress.Origin> {
    Source.xkcd.ownOrigins.union([site.origin, images.origin])
  }

  /// The address of the latest comic's record.
  public var latest: WebAddress { site.appending("info.0.json") }

  public func record(of number: Comic.Number) -> WebAddress { site.appending("\(number.value)/info.0.json") }

  /// The address of a picture at the configured host.
  ///
  /// Only addresses at `imgs.xkcd.com` are accepted, http or https. The percent-encoding is kept: 1446's file
  /// really is named `%3F%3F%3F.png`.
  /// - Parameters:
  ///   - address: `img` of a record.
  ///   - doubleSize: whether to add `_2x` before the extension, for the double-size picture.
  /// - Returns: nil if it is not the address of an xkcd picture.
  public func picture(at address: Text, doubleSize: Bool) -> WebAddress? {
    guard let given = Self.plain(address.description), given.origin.host == "imgs.xkcd.com" else {
      return nil
    }
    var target = String(given.target.dropFirst())
    guard let name = target.split(separator: "/", omittingEmptySubsequences: false).last, !name.isEmpty else {
      return nil
    }
    if doubleSize {
      guard let dot = target.lastIndex(of: "."), name.contains(".") else { return nil }
      target.insert(contentsOf: "_2x", at: dot)
    }
    return images.appending(target)
  }

  /// The address of a page or file of xkcd.com, www.xkcd.com or imgs.xkcd.com, at the configured host.
  /// - Parameter address: an absolute address, such as ``Comic/link``.
  /// - Returns: nil if it is elsewhere, has a query or names a port other than its scheme's.
  public func anything(at address: Text) -> WebAddress? {
    guard let given = Self.plain(address.description) else { return nil }
    let target = String(given.target.dropFirst())
    switch given.origin.host {
    case "xkcd.com", "www.xkcd.com": return site.appending(target)
    case "imgs.xkcd.com": return images.appending(target)
    default: return nil
    }
  }

  /// An address without query at its scheme's port; nil if it isn't one.
  private static func plain(_ text: String) -> WebAddress? {
    guard let given = WebAddress(text.hasPrefix("//") ? "https:" + text : text) else { return nil }
    guard given.origin.port == given.origin.scheme.defaultPort, !given.target.contains("?") else {
      return nil
    }
    // A server may decode an encoded dot, and so leave the configured folder.
    let isPlain = given.target.split(separator: "/").allSatisfy {
      ![".", ".."].contains($0.replacing("%2E", with: ".").replacing("%2e", with: "."))
    }
    return isPlain ? given : nil
  }
}
