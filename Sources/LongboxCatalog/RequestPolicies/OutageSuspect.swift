// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import Synchronization

/// The comic at which the source seemed to be down.
///
/// A broken connection or a 403 may come from this one comic, which would then block all others forever. If the check
/// for the newest comic succeeds in between and the source then fails here again, the comic is the cause.
final class OutageSuspect: Sendable {
  private struct Suspect: Equatable {
    var part: ComicPart
    var number: Comic.Number
    var sourceAnswered = false
  }

  private let suspect = Mutex<Suspect?>(nil)

  /// Notes that the source has answered the check for the newest comic.
  func noteNewestAnswered() {
    suspect.withLock { $0?.sourceAnswered = true }
  }

  /// Notes that the source seemed to be down at a comic.
  /// - Returns: whether the comic itself is the reason.
  func noteOutage(at number: Comic.Number, for part: ComicPart) -> Bool {
    let confirmed = Suspect(part: part, number: number, sourceAnswered: true)
    return suspect.withLock { suspect in
      let isConfirmed = suspect == confirmed
      suspect = isConfirmed ? nil : Suspect(part: part, number: number)
      return isConfirmed
    }
  }
}
