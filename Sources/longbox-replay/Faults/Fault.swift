// Longbox
// SPDX-License-Identifier: MIT

/// A deliberate failure: what happens, for which requests, and how often.
struct Fault: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// The normal response, after the fault's ``Fault/delay``.
    case delay
    /// Another status; the default body is a small HTML page.
    case status(Int, retryAfter: String?, body: String?)
    /// Closes the connection after a number of body bytes, by default half of the declared length.
    case cut(after: Int?)
    /// Declares a wrong Content-Length, off by `offset`. If it is too long, the connection closes at the end
    /// of the body. If it is too short, the surplus runs into the next response.
    case length(offset: Int)
    /// An HTML page with status 200, like that of a captive portal or a broken proxy.
    case html
    /// The normal response at a limited rate.
    case drip(bytesPerSecond: Int)
    /// Resets the connection before the response.
    case reset
    /// Status 200 without a body.
    case empty
    /// Status 200 with a body that ends only when the client disconnects.
    case endless
    /// A redirect; without a location, to the same address, which is a loop.
    case redirect(to: String?, status: Int)
    /// The normal record with a wrong `num`: the given one, or one too high.
    case wrongNumber(Int?)
  }

  let kind: Kind
  let match: FaultMatch
  /// The delay before the fault.
  var delay: Duration = .zero
  /// The number of requests affected; nil for all until the fault is deleted.
  var times: Int?
  /// The share of matching requests affected, chosen at random with ``seed``.
  var probability = 1.0
  var seed: UInt64 = 0
}
