// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

extension Request {
  /// Whether the page is fetched in advance, and perhaps never looked at.
  ///
  /// Our own scripts say so by `Purpose`, browsers of their own accord by `Sec-Purpose`
  /// (Fetch Standard, "Sec-Purpose").
  var isAhead: Bool {
    ["Purpose", "Sec-Purpose"].contains { name in
      HTTPField.Name(name).flatMap { headers[$0] }?.hasPrefix("prefetch") ?? false
    }
  }
}
