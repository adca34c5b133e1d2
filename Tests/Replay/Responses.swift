// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Bytes that a site serves, with what conditional requests need.
struct StoredFile: Sendable {
  let bytes: ByteBuffer
  let mediaType: String
  /// A strong validator with its quotes (RFC 9110, section 8.8.3).
  let etag: String
  let lastModified: Date

  /// Makes a file; without an ETag, one is computed from its bytes.
  init(bytes: ByteBuffer, mediaType: String, etag: String? = nil, lastModified: Date) {
    self.bytes = bytes
    self.mediaType = mediaType
    self.etag = etag ?? "\"\(String(hash(of: bytes.readableBytesView), radix: 16))\""
    self.lastModified = lastModified
  }

  /// 200 with the bytes, or 304 if the client has them.
  func response(to headers: HTTPFields) -> Response {
    var fields: HTTPFields = [.eTag: etag, .lastModified: HTTPDate.text(of: lastModified)]
    guard !isCurrent(in: headers) else { return Response(status: .notModified, headers: fields) }
    fields[.contentType] = mediaType
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: bytes))
  }

  /// RFC 9110, section 13.2.2: If-Modified-Since counts only without If-None-Match.
  private func isCurrent(in headers: HTTPFields) -> Bool {
    let tags = headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard tags.isEmpty else {
      return tags.contains { $0 == "*" || $0 == etag || $0 == "W/\(etag)" }
    }
    guard let text = headers[.ifModifiedSince], let since = HTTPDate.date(in: text) else { return false }
    return lastModified.timeIntervalSince1970.rounded(.down) <= since.timeIntervalSince1970
  }
}

/// 64-bit FNV-1a, sufficient to distinguish versions of a small file.
func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

/// Dates in HTTP headers, such as `Fri, 07 Aug 2026 04:00:00 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
  static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static let locale = Locale(identifier: "en_US_POSIX")
  private static let format: Date.FormatString = """
    \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
    """

  static func text(of date: Date) -> String {
    date.formatted(
      Date.VerbatimFormatStyle(format: format, locale: locale, timeZone: .gmt, calendar: calendar)
    )
  }

  /// Parses a header's date; nil unless it has the current format.
  static func date(in text: String) -> Date? {
    try? Date.ParseStrategy(
      format: format,
      locale: locale,
      timeZone: .gmt,
      calendar: calendar,
      isLenient: false
    ).parse(text)
  }
}

extension Response {
  /// The 404 of xkcd's nginx, which is HTML even for JSON requests.
  static var notFound: Response { .html(status: .notFound, "404 Not Found") }

  /// A page with a heading, or with another content.
  static func html(status: HTTPResponse.Status, _ message: String, content: String? = nil) -> Response {
    let page = """
      <html>
      <head><title>\(message)</title></head>
      <body>
      <center>\(content ?? "<h1>\(message)</h1>")</center>
      </body>
      </html>

      """
    return Response(
      status: status,
      headers: [.contentType: "text/html"],
      body: .init(byteBuffer: ByteBuffer(string: page))
    )
  }

  /// What MediaWiki answers to every request: status 200 and JSON with sorted keys.
  static func wiki(_ value: some Encodable) -> Response {
    guard let bytes = try? JSONValue.encoder.encode(value) else {
      return .html(status: .internalServerError, "500")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/json; charset=utf-8", .cacheControl: "private, must-revalidate, max-age=0",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    )
  }
}

/// What MediaWiki answers to a wrong request.
struct WikiFailure: Encodable {
  let error: [String: String]

  init(code: String, info: String) { error = ["code": code, "info": info] }
}

/// The decoded fields of a query; of repeated names the last counts, as in PHP.
struct QueryFields {
  private let values: [String: String]

  init(_ query: String?) {
    let pairs = (query ?? "").split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding ?? ""
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
    values = Dictionary(pairs) { $1 }
  }

  subscript(name: String) -> String? { values[name] }
}
