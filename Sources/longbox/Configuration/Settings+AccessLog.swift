// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import LongboxServer

extension Settings {
  /// How requests are logged on stdout; nil for not at all.
  static func accessLog(_ reader: ConfigReader) throws -> AccessLogSettings? {
    let addresses = reader.string(forKey: "accessLogAddresses", default: "network").lowercased()
    guard ["network", "full"].contains(addresses) else {
      throw SettingsError(key: "accessLogAddresses", value: addresses, expected: "network or full")
    }
    let format = reader.string(forKey: "accessLog", default: "off").lowercased()
    if ["off", "false", "no"].contains(format) { return nil }
    guard let format = AccessLogSettings.Format(rawValue: format) else {
      throw SettingsError(key: "accessLog", value: format, expected: "combined, json or off")
    }
    return AccessLogSettings(format: format, hasFullAddresses: addresses == "full") { bytes in
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }
  }
}
