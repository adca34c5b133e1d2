// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxPages
import LongboxReaders
import LongboxStore

extension StoreError {
  /// The response to a request whose change could not be stored.
  var httpError: HTTPError {
    switch storageProblem {
    case .full:
      HTTPError(.init(code: 507), headers: wait, message: "The server’s disk is full. \(Self.nothingLost)")
    case .newLibraryFull:
      HTTPError(
        .init(code: 507),
        headers: wait,
        message: "This library is full for its first day; later it can hold more. \(Self.nothingLost)"
      )
    case .tooManyNew: HTTPError(.tooManyRequests, message: "Too many new readers. \(Self.nothingLost)")
    case .unwritable:
      HTTPError(
        .serviceUnavailable,
        headers: wait,
        message: "The server can’t write to its disk at the moment. \(Self.nothingLost)"
      )
    case .unreachable:
      HTTPError(
        .serviceUnavailable,
        headers: wait,
        message: "The server can’t reach its database at the moment. \(Self.nothingLost)"
      )
    }
  }

  /// The problem that the page shows.
  var storageProblem: StorageProblem {
    switch self {
    case .diskFull, .quota(.allLibraries), .quota(.freeSpace): .full
    case .quota(.newLibrary): .newLibraryFull
    case .unreachable: .unreachable
    default: .unwritable
    }
  }

  /// After how many seconds trying again makes sense.
  var retryAfter: Int {
    if case .quota = self { 60 } else { isOutage ? 5 : 30 }
  }

  private var wait: HTTPFields { [.retryAfter: "\(retryAfter)"] }

  private static var nothingLost: String { "Nothing was changed or lost. Try again later." }
}

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
