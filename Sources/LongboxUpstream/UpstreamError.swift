// Longbox
// SPDX-License-Identifier: MIT

/// Why a source did not answer a request.
public enum UpstreamError: Error, Equatable, Sendable {
  /// The source says that there is no such thing (404, 410).
  case notFound(Source, subject: String)
  /// The source limits the rate (429, or 403 from some sources).
  ///
  /// `retryAfter` is the wait, if it names one.
  case rateLimited(Source, retryAfter: Duration?)
  /// Too many requests wait for the source, so Longbox didn't send this one.
  case busy(Source)
  /// There was no connection, or it broke before the reply was complete.
  case unreachable(Source, reason: String)
  /// No complete reply came within the time limit.
  case timedOut(Source, subject: String)
  /// The source has an internal error (5xx).
  case serverError(Source, status: Int, retryAfter: Duration?)
  /// The source answered with an unexpected status.
  case unexpectedStatus(Source, subject: String, status: Int)
  /// The reply has an unexpected form.
  ///
  /// `at` says what and where, so that a fixture can be made of it.
  case malformed(Source, at: String)
  /// Longbox rejected the address or the reply.
  case rejected(Source, Rejection)
  /// The task was cancelled.
  case cancelled

  /// Why Longbox rejected an address or a reply.
  public enum Rejection: Equatable, Sendable {
    /// The host is neither configured nor on the source's allow-list.
    case origin(WebAddress.Origin)
    /// The address is not a complete http or https address, or not one that the source uses for this.
    case address(String)
    /// A redirect led from https to http.
    case insecureRedirect(WebAddress.Origin)
    /// There were more redirects than this.
    case redirects(limit: Int)
    /// The reply is longer than this many bytes.
    case size(limit: Int)
  }

  /// Whether the same request may succeed later.
  public var isRetryable: Bool {
    switch self {
    case .rateLimited, .unreachable, .timedOut: true
    case .serverError(_, let status, _): status != 501 && status != 505
    case .busy, .notFound, .unexpectedStatus, .malformed, .rejected, .cancelled: false
    }
  }

  /// The wait that the source asks for, if any.
  public var retryAfter: Duration? {
    switch self {
    case .rateLimited(_, let pause), .serverError(_, _, let pause): pause
    case .busy, .notFound, .unreachable, .timedOut, .unexpectedStatus, .malformed, .rejected, .cancelled: nil
    }
  }
}

extension UpstreamError: CustomStringConvertible {
  /// A sentence for the reader, or for the operator's log.
  public var description: String {
    switch self {
    case .notFound(let source, let subject):
      "\(source.nameAtStart) has no \(subject)."
    case .rateLimited(let source, let pause?):
      "\(source.nameAtStart) asks Longbox to wait \(Self.seconds(pause)). Longbox asks again after that."
    case .rateLimited(let source, nil):
      "\(source.nameAtStart) asks for fewer requests; try again in a few minutes."
    case .busy(let source):
      "\(source.nameAtStart) can't be asked now, since too many requests wait already; try again in a minute."
    case .unreachable(let source, let reason):
      "\(source.nameAtStart) can't be reached: \(reason)."
    case .timedOut(let source, let subject):
      "\(source.nameAtStart) took too long to send \(subject); try again later."
    case .serverError(let source, let status, _):
      "\(source.nameAtStart) has an internal error (status \(status)); try again later."
    case .unexpectedStatus(let source, let subject, let status):
      "\(source.nameAtStart) answered with the unexpected status \(status) when asked for \(subject)."
    case .malformed(let source, let place):
      "\(source.nameAtStart) sent something that can't be read: \(place)."
    case .rejected(let source, let rejection):
      "Longbox did not take what \(source.name) sent: \(rejection.reason)."
    case .cancelled:
      "The request was cancelled."
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let whole = seconds + (attoseconds > 0 ? 1 : 0)
    return whole == 1 ? "1 second" : "\(whole) seconds"
  }
}

extension UpstreamError.Rejection {
  fileprivate var reason: String {
    switch self {
    case .origin(let origin): "it leads to \(origin), which is not a host that Longbox may ask"
    case .address(let address): "“\(address)” is not an address that Longbox expects from this source"
    case .insecureRedirect(let origin): "it leads from a secure connection to \(origin), which is not secure"
    case .redirects(let limit): "it redirects more than \(limit) times"
    case .size(let limit): "it is longer than \(limit) bytes"
    }
  }
}
