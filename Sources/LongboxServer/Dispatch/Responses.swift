// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore

extension HTTPField.Name {
  /// The header field with a request's id, as the logs have it.
  static let requestID = HTTPField.Name("X-Request-ID")
}

extension HTTPFields {
  /// Adds the security headers, unless they are present.
  mutating func guardBrowser() {
    guard self[.contentSecurityPolicy] == nil else { return }
    let isPage = self[.contentType].map { $0.hasPrefix("text/html") } ?? true
    append(contentsOf: isPage ? Self.guarding : Self.guardingFiles)
  }

  /// The headers of everything but pages: nothing may run in it; the other headers don't matter there.
  private static let guardingFiles: HTTPFields = [
    .contentSecurityPolicy: "default-src 'none'", .xContentTypeOptions: "nosniff",
  ]

  private static let (noFrames, ownFrames) = ("frame-ancestors 'none'", "frame-ancestors 'self'")

  /// Allows only our own files, no inline script but one, forms only to us, and no framing.
  private static var policy: String { "\(policyInPage); \(noFrames)" }

  /// The policy as a page itself can have it; there, browsers ignore `frame-ancestors`.
  static var policyInPage: String {
    "default-src 'none'; script-src 'self' \(EarlyKeys.source); style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
      + "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'"
  }

  private static var names: [(name: String, value: String)] {
    [
      ("Content-Security-Policy", policy),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]
  }

  /// The headers of every page, also of rejections, which the application does not see.
  static let guarding = HTTPFields(
    names.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
  )
}

extension HTTPFields {
  /// Lets other pages of the same origin show the page in a frame.
  mutating func allowOwnFrames() {
    let policy = self[.contentSecurityPolicy]
    self[.contentSecurityPolicy] = policy?.replacing(Self.noFrames, with: Self.ownFrames)
  }

  /// Makes `Cache-Control` private, with its other directives, unless nothing stores the response anyway.
  mutating func keepFromSharedCaches() {
    let directives = (self[.cacheControl] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
    guard !directives.contains("private"), !directives.contains("no-store") else { return }
    self[.cacheControl] = (["private"] + directives.filter { $0 != "public" }).joined(separator: ", ")
  }
}

extension Date {
  /// The date for a header field, such as `Sat, 21 Nov 2026 10:56:45 GMT` (RFC 9110, section 5.6.7).
  var inHeader: String {
    HTTPDate(seconds: Int64(within: timeIntervalSince1970.rounded(.down))).text.description
  }
}

extension Hummingbird.Response {
  /// Redirects to a page after a form: 303, which is not stored.
  static func seeOther(_ link: Link, fragment: String = "") -> Hummingbird.Response {
    Hummingbird.Response(
      status: .seeOther,
      headers: [.location: link.address.description + fragment, .cacheControl: "no-store"]
    )
  }
}

extension StoreError {
  /// The response to a request whose change could not be stored.
  var httpError: HTTPError {
    switch storageProblem {
    case .full:
      HTTPError(.init(code: 507), headers: wait, message: "The server’s disk is full. \(Self.nothingLost)")
    case .newLibraryFull:
      HTTPError(
        .init(code: 507),
        headers: wait,
        message: "This library is full for its first day; later it can hold more. \(Self.nothingLost)"
      )
    case .tooManyNew: HTTPError(.tooManyRequests, message: "Too many new readers. \(Self.nothingLost)")
    case .unwritable:
      HTTPError(
        .serviceUnavailable,
        headers: wait,
        message: "The server can’t write to its disk at the moment. \(Self.nothingLost)"
      )
    case .unreachable:
      HTTPError(
        .serviceUnavailable,
        headers: wait,
        message: "The server can’t reach its database at the moment. \(Self.nothingLost)"
      )
    }
  }

  /// The problem that the page shows.
  var storageProblem: StorageProblem {
    switch self {
    case .diskFull, .quota(.allLibraries), .quota(.freeSpace): .full
    case .quota(.newLibrary): .newLibraryFull
    case .unreachable: .unreachable
    default: .unwritable
    }
  }

  /// After how many seconds trying again makes sense.
  var retryAfter: Int {
    if case .quota = self { 60 } else { isOutage ? 5 : 30 }
  }

  private var wait: HTTPFields { [.retryAfter: "\(retryAfter)"] }

  private static var nothingLost: String { "Nothing was changed or lost. Try again later." }
}

extension TooManyNew {
  /// 429 with `Retry-After`.
  var httpError: HTTPError {
    let minutes = max(1, (retryAfter + 59) / 60)
    return HTTPError(
      .tooManyRequests,
      headers: [.retryAfter: "\(retryAfter)"],
      message:
        "Too many new readers come from your network. Try again in \(minutes) \(minutes == 1 ? "minute" : "minutes")."
    )
  }
}
