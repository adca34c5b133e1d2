// Longbox
// SPDX-License-Identifier: MIT

/// Something that goes wrong on purpose: what, for which requests, and how often.
struct Fault: Sendable, Equatable {
  /// What happens instead of the right answer.
  enum Kind: Sendable, Equatable {
    /// The right answer, late by the fault's ``Fault/delay``.
    case delay
    /// Another status, with a small HTML body unless one is given.
    case status(Int, retryAfter: String?, body: String?)
    /// The connection is closed after so many bytes of the body (half of them where nil); all were promised.
    case cut(after: Int?)
    /// The promised length differs from the body's by so much: above zero the connection is closed at the end of the
    /// body, below zero it stays open and the surplus runs into whatever the client reads next.
    case length(offset: Int)
    /// A page of HTML with status 200, as a captive portal or a broken proxy sends it.
    case html
    /// The right answer at so many bytes a second.
    case drip(bytesPerSecond: Int)
    /// The connection is reset before a byte of the answer.
    case reset
    /// Status 200 and no body.
    case empty
    /// Status 200 and a body that goes on until the client leaves.
    case endless
    /// A redirect; to the same address where no location is given, which is a loop.
    case redirect(to: String?, status: Int)
    /// The right record but for its `num`: the given one, or one more than it should be.
    case wrongNumber(Int?)
  }

  let kind: Kind
  /// Which requests are meant.
  let match: FaultMatch
  /// How long to wait before anything happens.
  var delay: Duration = .zero
  /// How many requests it strikes before it is over; nil for all until it is deleted.
  var times: Int?
  /// The share of matching requests that it strikes, of which ``seed`` decides.
  var probability = 1.0
  var seed: UInt64 = 0
}
