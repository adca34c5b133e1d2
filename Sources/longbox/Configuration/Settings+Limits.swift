// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
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

  /// The names of the machine, of the setting, and the one to listen at.
  static func hostNames(_ text: String?, host: String) throws -> HostNames {
    let configured = (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    for name in configured where !HostNames.isName(name) {
      throw SettingsError(
        key: "hostNames",
        value: name,
        expected: "a name such as comics.example.org, or several with commas between them"
      )
    }
    return HostNames(configured: HostNames.isName(host) ? configured + [host] : configured)
  }
}
