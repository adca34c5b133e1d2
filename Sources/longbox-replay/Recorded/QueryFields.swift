// Longbox
// SPDX-License-Identifier: MIT

import Foundation

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
