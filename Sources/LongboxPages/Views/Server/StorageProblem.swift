// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Why the server could not store a reader's change.
public enum StorageProblem: Equatable, Sendable {
  /// The disk is full.
  case full
  /// The disk or the database can't be written at the moment.
  case unwritable
}

extension StorageProblem {
  /// 507 (RFC 4918, section 11.5) or 503.
  var status: Int {
    switch self {
    case .full: 507
    case .unwritable: 503
    }
  }

  var page: MessagePage {
    let reason: Text =
      switch self {
      case .full: "The server’s disk is full, so your change was not saved. "
      case .unwritable: "The server can’t write to its disk at the moment, so your change was not saved. "
      }
    return MessagePage(
      title: "Not saved",
      problem: reason + "Nothing else was changed or lost. Go back and try again later."
    )
  }
}
