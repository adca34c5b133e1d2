// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import LongboxServer

extension Settings {
  static func limits(_ reader: ConfigReader) throws -> Limits {
    var limits = Limits()
    for limit in Limit.all {
      let key = "limits.\(limit.name)"
      guard let text = reader.string(forKey: ConfigKey(key)) else { continue }
      guard limit.set(text, in: &limits) else {
        throw SettingsError(key: key, value: text, expected: limit.expected)
      }
    }
    return limits
  }
}
