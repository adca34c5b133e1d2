// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// A request to a source: always a GET, because Longbox only reads.
///
/// Equal exchanges under way at the same time become one request: see ``SourceClient/send(_:priority:)``.
public struct Exchange: Hashable, Sendable {
  public var source: Source
  /// What is requested, in words for messages: "comic 353".
  public var subject: String
  public var address: WebAddress
  /// The validator of the stored copy, so that the source can answer "not modified".
  public var validator: Validator?
  /// The longest body in bytes; a longer one is rejected while it streams in.
  public var byteLimit: Int
  /// The time limit for all of it, redirects included, until the last byte; waiting in a queue doesn't count.
  public var timeLimit: Duration

  public init(
    source: Source,
    subject: String,
    address: WebAddress,
    validator: Validator? = nil,
    byteLimit: Int,
    timeLimit: Duration
  ) {
    self.source = source
    self.subject = subject
    self.address = address
    self.validator = validator
    self.byteLimit = byteLimit
    self.timeLimit = timeLimit
  }
}

/// What came back for an ``Exchange``.
public struct Reply: Equatable, Sendable {
  public var status: Int
  /// The header fields, as they came.
  public var headers: HeaderFields
  /// The body: complete with status 200; with an error, perhaps only its beginning.
  public var body: [UInt8]
  /// The address that answered; after a redirect it differs from the requested one.
  public var address: WebAddress

  public init(status: Int, headers: HeaderFields = HeaderFields(), body: [UInt8] = [], address: WebAddress) {
    self.status = status
    self.headers = headers
    self.body = body
    self.address = address
  }

  /// The validator for the next request.
  public var validator: Validator? {
    Validator(entityTag: headers["ETag"], lastModified: headers["Last-Modified"])
  }
}

/// Header fields in the order they came; names are compared without regard to case (RFC 9110 section 5.1).
public struct HeaderFields: Hashable, Sendable {
  /// One line of a header.
  public struct Field: Hashable, Sendable {
    /// The name, in its original case.
    public var name: String
    /// The value, trimmed.
    public var value: String
  }

  /// The fields, repeated names included.
  public private(set) var fields: [Field] = []

  public init() {}

  /// Adds a field at the end.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The value of the first field with a name.
  public subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The wait that `Retry-After` asks for (RFC 9110 section 10.2.3): a number of seconds or a date.
  /// - Parameter now: the time. A date in the past means no wait.
  /// - Returns: at most a day; nil if the field is missing or unreadable.
  func retryAfter(now: Date) -> Duration? {
    guard let value = self["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
    let day = 86_400.0
    if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Double(value) ?? day, day))
    }
    guard let date = HTTPDate(Text(string: value)) else { return nil }
    let pause = Date(timeIntervalSince1970: TimeInterval(date.seconds)).timeIntervalSince(now)
    return .seconds(min(max(pause.rounded(.up), 0), day))
  }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  /// Makes a header of names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }
}

/// A source's validators for a copy (RFC 9110 section 8.8), sent back to ask for a newer version.
public struct Validator: Hashable, Sendable {
  /// The value of `ETag`, quotes included.
  public let entityTag: String?
  /// The value of `Last-Modified`, verbatim; it is never parsed.
  public let lastModified: String?

  /// Makes a validator; nil if both values are missing, over 200 bytes, or invalid in a header.
  public init?(entityTag: String?, lastModified: String?) {
    self.entityTag = entityTag.flatMap(Self.sendable)
    self.lastModified = lastModified.flatMap(Self.sendable)
    guard self.entityTag != nil || self.lastModified != nil else { return nil }
  }

  /// The header fields that request the value only if it has changed (RFC 9110 section 13.1).
  public var headers: HeaderFields {
    var headers = HeaderFields()
    if let entityTag { headers.add("If-None-Match", entityTag) }
    if let lastModified { headers.add("If-Modified-Since", lastModified) }
    return headers
  }

  private static func sendable(_ value: String) -> String? {
    let isVisible = value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return isVisible && !value.isEmpty && value.utf8.count <= 200 ? value : nil
  }
}

/// The reply to a conditional request.
public enum Conditional<Value> {
  /// A newer value, with its validator if the source sent one.
  case fresh(Value, Validator?)
  /// The stored copy is still current.
  case notModified
}

extension Conditional: Sendable where Value: Sendable {}
extension Conditional: Equatable where Value: Equatable {}

/// Why a reply is not usable, for sources that reply with a JSON object.
protocol JSONObjectFault: Error {
  /// The reply is empty, or only white space.
  static var empty: Self { get }
  /// The reply is an HTML page.
  static var html: Self { get }
  /// The reply is not one whole JSON object.
  static var notAnObject: Self { get }
}

extension JSONObjectFault {
  /// Checks what a reply begins with, before it is decoded.
  static func checkObject(_ json: [UInt8]) throws(Self) {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = json.first(where: { !isSpace($0) }) else { throw .empty }
    guard first != UInt8(ascii: "<") else { throw .html }
    // Foundation also accepts UTF-16 and UTF-32, which have zero bytes.
    guard first == UInt8(ascii: "{"), !json.contains(0) else { throw .notAnObject }
  }
}

extension Exchange {
  /// A small question that shows whether xkcd answers.
  public static func check(_ addresses: XkcdAddresses) -> Exchange { check(.xkcd, at: addresses.latest) }

  /// The same for explain xkcd.
  public static func check(_ address: ExplainAddress) -> Exchange { check(.explain, wiki: address.api) }

  /// The same for Wikipedia.
  public static func check(_ address: WikipediaAddress) -> Exchange { check(.wikipedia, wiki: address.api) }

  /// The same for the iTunes Store.
  public static func check(_ addresses: ITunesAddresses) -> Exchange {
    check(.itunes, at: addresses.site.appending("lookup").asking([(name: "id", value: "1")]))
  }

  private static func check(_ source: Source, wiki api: WebAddress) -> Exchange {
    check(
      source,
      at: api.asking([
        (name: "action", value: "query"), (name: "meta", value: "siteinfo"), (name: "format", value: "json"),
      ])
    )
  }

  private static func check(_ source: Source, at address: WebAddress) -> Exchange {
    Exchange(
      source: source,
      subject: "an answer",
      address: address,
      byteLimit: 256 << 10,
      timeLimit: .seconds(5)
    )
  }
}
