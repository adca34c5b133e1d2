// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxReaders

extension TooManyNew {
  /// 429 with `Retry-After`.
  var httpError: HTTPError {
    let minutes = max(1, (retryAfter + 59) / 60)
    return HTTPError(
      .tooManyRequests,
      headers: [.retryAfter: "\(retryAfter)"],
      message:
        "Too many new readers come from your network. Try again in \(minutes) \(minutes == 1 ? "minute" : "minutes")."
    )
  }
}
