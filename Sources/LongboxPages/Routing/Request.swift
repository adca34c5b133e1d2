// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A request, with all input that rendering depends on.
public struct Request: Equatable, Sendable {
  /// The HTTP method.
  public enum Method: Equatable, Sendable {
    /// Shows a page.
    case get
    /// Submits a form; the host has verified that it comes from one of our pages.
    case post
  }

  /// The HTTP method.
  public var method: Method
  /// The path, percent-encoded as received but without the base path, such as `/353/`.
  public var path: Text
  /// The query without the question mark, percent-encoded as received; may be empty.
  public var query: Text
  /// The form data, encoded as received; may be empty.
  public var body: Text
  /// A random number, for a random comic.
  public var random: UInt64
  /// The host's time in milliseconds since 1970-01-01 UTC.
  public var now: UInt64
  /// Whether the reader has a library, in which views are recorded.
  public var isRemembered: Bool
  /// Whether showing a comic counts as a view.
  ///
  /// On a device, a script reports a view once the comic was in view for a while.
  public var recordsViews = true
  /// Whether the page is prefetched: then no view is recorded, and no notice is marked as shown.
  public var isPrefetch: Bool

  /// Makes a request.
  public init(
    method: Method = .get,
    path: Text,
    query: Text = .empty,
    body: Text = .empty,
    random: UInt64 = 0,
    now: UInt64 = 0,
    isRemembered: Bool = false,
    isPrefetch: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.random = random
    self.now = now
    self.isRemembered = isRemembered
    self.isPrefetch = isPrefetch
  }

  var fields: FormFields { FormFields(query) }

  /// The path and query, for a form to return to.
  var address: Text { query.isEmpty ? path : path + "?" + query }
}
