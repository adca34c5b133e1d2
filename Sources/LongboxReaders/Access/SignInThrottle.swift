// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Limits how often somebody may guess: for each network address, and slowly for all together.
///
/// Only wrong guesses count, so that people who know the passphrase rarely meet it. Devices that are signed in
/// never do.
struct SignInThrottle: Sendable {
  /// A number of tries that comes back with time.
  private struct Bucket {
    var tries: Double
    var changed: Date

    mutating func refill(_ rate: Double, most: Double, at now: Date) {
      tries = min(most, tries + max(0, now.timeIntervalSince(changed)) * rate)
      changed = now
    }
  }

  /// Wrong guesses in a row from one address.
  static let ofAddress = 5.0
  /// Seconds until an address may guess once more.
  static let pauseOfAddress = 30.0
  /// Wrong guesses in a row from all addresses.
  static let ofAll = 100.0
  /// Seconds until one more may be guessed by all together.
  static let pauseOfAll = 2.0
  /// Addresses that are remembered; the one that guessed longest ago is forgotten first.
  static let addresses = 2_000

  private var byAddress: [String: Bucket] = [:]
  private var all: Bucket?

  /// Takes one try.
  /// - Returns: nil if it may be made; otherwise after how many seconds to come back.
  mutating func take(_ address: String, at now: Date) -> Int? {
    var mine = byAddress[address] ?? Bucket(tries: Self.ofAddress, changed: now)
    mine.refill(1 / Self.pauseOfAddress, most: Self.ofAddress, at: now)
    guard mine.tries >= 1 else { return Self.wait(mine.tries, Self.pauseOfAddress) }
    var common = all ?? Bucket(tries: Self.ofAll, changed: now)
    common.refill(1 / Self.pauseOfAll, most: Self.ofAll, at: now)
    guard common.tries >= 1 else { return Self.wait(common.tries, Self.pauseOfAll) }
    mine.tries -= 1
    common.tries -= 1
    forgetOldest(before: address)
    byAddress[address] = mine
    all = common
    return nil
  }

  /// Gives a try back that was right.
  mutating func giveBack(_ address: String) {
    byAddress[address] = nil
    all?.tries += 1
  }

  private static func wait(_ tries: Double, _ pause: Double) -> Int {
    max(1, Int(((1 - tries) * pause).rounded(.up)))
  }

  private mutating func forgetOldest(before address: String) {
    guard byAddress[address] == nil, byAddress.count >= Self.addresses else { return }
    if let oldest = byAddress.min(by: { $0.value.changed < $1.value.changed })?.key {
      byAddress[oldest] = nil
    }
  }
}
