// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Why the server could not store a reader's change.
public enum StorageProblem: Equatable, Sendable {
  /// The disk is full.
  case full
  /// The disk or the database can't be written at the moment.
  case unwritable
  /// The database of several nodes doesn't answer at the moment.
  case unreachable
  /// The library is new and may not grow further today.
  case newLibraryFull
  /// Too many new libraries come from the reader's network.
  case tooManyNew
}

extension StorageProblem {
  /// 507 (RFC 4918, section 11.5) or 503.
  var status: Int {
    switch self {
    case .full, .newLibraryFull: 507
    case .unwritable, .unreachable: 503
    case .tooManyNew: 429
    }
  }

  var page: MessagePage {
    let reason: Text =
      switch self {
      case .full: "The server’s disk is full, so your change was not saved. "
      case .unwritable: "The server can’t write to its disk at the moment, so your change was not saved. "
      case .unreachable: "The server can’t reach its database at the moment, so your change was not saved. "
      case .newLibraryFull: "A new library holds less on its first day, so your change was not saved. "
      case .tooManyNew: "Too many new readers come from your network, so your change was not saved. "
      }
    return MessagePage(
      title: "Not saved",
      problem: reason + "Nothing else was changed or lost. Go back and try again later."
    )
  }
}
