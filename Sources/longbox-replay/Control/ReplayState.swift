// Longbox
// SPDX-License-Identifier: MIT

/// What `GET /_replay/state` answers.
struct ReplayState: Encodable, Sendable {
  /// The newest comic that is out.
  let latest: Int
  let counts: RequestLog.Counts
  /// Requests a second over the last ten.
  let requestsPerSecond: Double
  let faults: [FaultReport]
  /// The last requests, oldest first.
  let requests: [RequestLog.Entry]
}

/// A fault as the control address shows it.
struct FaultReport: Encodable, Sendable {
  let id: Int
  let kind: String
  let path: String?
  let source: String?
  let times: Int?
  let struck: Int
  let isSpent: Bool

  init(_ entry: FaultPlan.Entry) {
    id = entry.id
    kind = entry.fault.kind.name
    path = entry.fault.match.path
    source = entry.fault.match.source
    times = entry.fault.times
    struck = entry.struck
    isSpent = entry.isSpent
  }
}

extension Fault.Kind {
  /// The word for it in JSON.
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
