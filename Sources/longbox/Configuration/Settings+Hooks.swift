// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import LongboxPush

extension Settings {
  /// The operator's hooks for new comics; nil for none.
  /// - Throws: `SettingsError`, which says what is wrong without the secrets in addresses.
  static func hooks(_ reader: ConfigReader) throws -> HookSender? {
    let secret = reader.string(forKey: "hooksSecret").flatMap { $0.isEmpty ? nil : $0 }
    if let secret, secret.utf8.count < 16 {
      throw SettingsError(key: "hooksSecret", value: "…", expected: "at least 16 characters long")
    }
    let showsAltText = try flag(reader.string(forKey: "hooksAltText"), key: "hooksAltText") ?? false
    let addresses = (list(reader, "hooks") ?? "").split { $0 == "," || $0.isWhitespace }
    guard addresses.count <= Hook.most else {
      throw SettingsError(
        key: "hooks",
        value: "\(addresses.count) addresses",
        expected: "at most \(Hook.most) of them"
      )
    }
    let hooks = try addresses.enumerated().map { place, address in
      do throws(HookAddressProblem) {
        return try Hook(String(address), showsAltText: showsAltText)
      } catch {
        // The address has secrets, so only its scheme is shown.
        let scheme = error.scheme.isEmpty ? "an address of no known service" : "\(error.scheme)://…"
        throw SettingsError(
          key: "hooks",
          value: "\(scheme) (number \(place + 1))",
          expected: "spelled as \(error.expected); docs/hooks.md explains each"
        )
      }
    }
    return hooks.isEmpty ? nil : HookSender(hooks, secret: secret, userAgent: "Longbox/\(Longbox.version)")
  }
}
