// Longbox
// SPDX-License-Identifier: MIT

/// The response to `GET /_replay/state`.
struct ReplayState: Encodable, Sendable {
  let latest: Int
  let counts: RequestLog.Counts
  /// The average over the last ten seconds.
  let requestsPerSecond: Double
  let faults: [FaultReport]
  /// The last requests, oldest first.
  let requests: [RequestLog.Entry]
}

struct FaultReport: Encodable, Sendable {
  let id: Int
  let kind: String
  let path: String?
  let source: String?
  let times: Int?
  let uses: Int
  let isSpent: Bool

  init(_ entry: FaultPlan.Entry) {
    id = entry.id
    kind = entry.fault.kind.name
    path = entry.fault.match.path
    source = entry.fault.match.source
    times = entry.fault.times
    uses = entry.uses
    isSpent = entry.isSpent
  }
}

extension Fault.Kind {
  /// The name in JSON.
  var name: String {
    switch self {
    case .delay: "delay"
    case .status: "status"
    case .cut: "cut"
    case .length: "length"
    case .html: "html"
    case .drip: "drip"
    case .reset: "reset"
    case .empty: "empty"
    case .endless: "endless"
    case .redirect: "redirect"
    case .wrongNumber: "wrongNumber"
    }
  }
}
