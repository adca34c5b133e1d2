// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders
import NIOCore
import Synchronization

/// A connection that is counted, with the time of its last activity.
final class RegisteredConnection: Sendable {
  let channel: any Channel
  let address: ClientAddress
  /// Nanoseconds of the last change or progress; the highest bit is 1 while a request is in progress.
  private let activity: Atomic<UInt64>

  private static let busy: UInt64 = 1 << 63

  init(_ channel: any Channel, _ address: ClientAddress, at now: NIODeadline) {
    self.channel = channel
    self.address = address
    activity = Atomic(now.uptimeNanoseconds)
  }

  /// Notes that no request is in progress since a time.
  func noteIdle(since time: NIODeadline) {
    activity.store(time.uptimeNanoseconds, ordering: .relaxed)
  }

  /// Notes that a request in progress made progress.
  func noteBusy(at time: NIODeadline) {
    activity.store(time.uptimeNanoseconds | Self.busy, ordering: .relaxed)
  }

  var isBusy: Bool { activity.load(ordering: .relaxed) & Self.busy != 0 }

  /// The order in which connections are closed: idle ones first, then those longest without progress.
  var closingOrder: UInt64 { activity.load(ordering: .relaxed) }
}
