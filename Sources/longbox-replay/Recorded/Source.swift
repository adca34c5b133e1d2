// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// A site that is played back.
///
/// To add one: a file with a type that conforms, and a line in ``Replayed``.
protocol Source: Sendable {
  /// Its name in faults and in the log. Everything it has is also served below `/name/`.
  var name: String { get }

  /// Whether a path without the prefix is its own, too, as `/353/info.0.json` is xkcd's.
  func claims(_ path: String) -> Bool

  /// What the site would answer; its own 404 where it has nothing.
  func respond(to request: SourceRequest) -> Response
}

/// A request as the site itself would see it: without the prefix that named the site.
struct SourceRequest: Sendable {
  /// Begins with a slash and is percent-encoded as it was sent: xkcd has a picture whose name depends on that.
  let path: String
  /// What follows the question mark.
  let query: String?
  let headers: HTTPFields
}

/// All sites that are played back, and which of them a request is for.
struct SourceTable: Sendable {
  let sources: [any Source]

  /// The site that a path belongs to, and the path inside it; nil if it is nobody's.
  func find(_ path: String) -> (source: any Source, path: String)? {
    for source in sources {
      let prefix = "/\(source.name)"
      if path == prefix { return (source, "/") }
      if path.hasPrefix("\(prefix)/") { return (source, String(path.dropFirst(prefix.count))) }
    }
    return sources.first { $0.claims(path) }.map { ($0, path) }
  }

  /// The answer of the site that the request is for, or a 404 that says that it is nobody's.
  func respond(to request: Request) -> Response {
    guard let found = find(request.uri.path) else {
      return .html(status: .notFound, "Nothing is replayed here: \(request.uri.path.escapedForHTML)")
    }
    return found.source.respond(
      to: SourceRequest(path: found.path, query: request.uri.query, headers: request.headers)
    )
  }
}
