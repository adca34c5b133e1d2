// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import LongboxReaders
import LongboxStore

extension Settings {
  /// Reads how much readers and strangers may store; docs/limits.md has the table.
  /// - Throws: `SettingsError`, which says what is wrong and what to do.
  static func storageLimits(_ reader: ConfigReader) throws -> StorageLimits {
    var limits = StorageLimits()
    func read(_ name: String, _ value: inout Int, times unit: Int = 1, atLeast least: Int = 0) throws {
      let key = "limits.\(name)"
      guard let text = reader.string(forKey: ConfigKey(key)) else { return }
      guard let number = Int(text), (least...1_000_000).contains(number) else {
        throw SettingsError(key: key, value: text, expected: "a whole number from \(least) to 1000000")
      }
      value = number * unit
    }
    try read("new.libraries", &limits.newLibrariesPerHour, atLeast: 1)
    try read("new.subscriptions", &limits.newSubscriptionsPerHour, atLeast: 1)
    try read("new.library.megabytes", &limits.libraries.newLibrary, times: 1 << 20, atLeast: 1)
    try read("libraries.megabytes", &limits.libraries.allLibraries, times: 1 << 20, atLeast: 1)
    try read("free.megabytes", &limits.libraries.freeSpace, times: 1 << 20)
    try read("idle.days", &limits.idleDays)
    try read("unused.days", &limits.unusedDays)
    return limits
  }
}
