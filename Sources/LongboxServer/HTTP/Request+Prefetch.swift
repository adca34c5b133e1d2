// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

extension Request {
  /// Whether the page is prefetched, and possibly never viewed.
  ///
  /// Our scripts send `Purpose`, browsers send `Sec-Purpose` (Fetch Standard).
  var isPrefetch: Bool {
    ["Purpose", "Sec-Purpose"].contains { name in
      HTTPField.Name(name).flatMap { headers[$0] }?.hasPrefix("prefetch") ?? false
    }
  }
}
