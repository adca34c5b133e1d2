// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// A replayed site.
///
/// To add one, write a conforming type and list it in ``Replayed``.
protocol Source: Sendable {
  /// The name in faults and the log; the site is also served below `/name/`.
  var name: String { get }

  /// Whether the site serves an unprefixed path, as xkcd does `/353/info.0.json`.
  func claims(_ path: String) -> Bool

  /// The site's response, including its own 404.
  func respond(to request: SourceRequest) -> Response
}

/// A request as the site itself would receive it, without the site's prefix.
struct SourceRequest: Sendable {
  /// Starts with a slash, percent-encoded as sent: one of xkcd's pictures has a name that depends on it.
  let path: String
  let query: String?
  let headers: HTTPFields
}

/// The replayed sites, by path.
struct SourceTable: Sendable {
  let sources: [any Source]

  /// The site of a path, and the path inside it; nil if there is none.
  func find(_ path: String) -> (source: any Source, path: String)? {
    for source in sources {
      let prefix = "/\(source.name)"
      if path == prefix { return (source, "/") }
      if path.hasPrefix("\(prefix)/") { return (source, String(path.dropFirst(prefix.count))) }
    }
    return sources.first { $0.claims(path) }.map { ($0, path) }
  }

  /// The response of the requested site; 404 if there is none.
  func respond(to request: Request) -> Response {
    guard let found = find(request.uri.path) else {
      return .html(status: .notFound, "Nothing is replayed here: \(request.uri.path.escapedForHTML)")
    }
    return found.source.respond(
      to: SourceRequest(path: found.path, query: request.uri.query, headers: request.headers)
    )
  }
}
