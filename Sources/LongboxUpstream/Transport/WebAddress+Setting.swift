// Longbox
// SPDX-License-Identifier: MIT

extension WebAddress {
  init(base text: String, setting: String) throws(SettingError) {
    guard let address = WebAddress(text), !text.contains("?"), !text.contains("#") else {
      throw .address(setting: setting, value: text)
    }
    self = address
  }

  func appending(_ rest: String) -> WebAddress {
    WebAddress(origin: origin, target: target + (target.hasSuffix("/") ? "" : "/") + rest)
  }
}
