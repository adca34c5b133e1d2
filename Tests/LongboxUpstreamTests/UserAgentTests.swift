// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream
import Testing

@Suite struct `The User-Agent` {
  @Test(arguments: [
    (nil, "Longbox/1.2"), ("", "Longbox/1.2"), ("me@example.org", "Longbox/1.2 (+me@example.org)"),
    ("https://example.org/about", "Longbox/1.2 (+https://example.org/about)"),
  ])
  func `names the program and its operator`(contact: String?, value: String) throws {
    #expect(try UserAgent(version: "1.2", contact: contact).value == value)
  }

  @Test(arguments: ["me\r\nX: y", "a)b", "\\", "é@example.org", String(repeating: "a", count: 201)])
  func `rejects a contact that a header can't hold`(contact: String) {
    #expect(throws: SettingError.contact(contact)) { try UserAgent(version: "1.2", contact: contact) }
  }
}
