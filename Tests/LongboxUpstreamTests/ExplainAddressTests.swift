// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxUpstream

@Suite struct `The address of explain xkcd` {
  @Test func `is the official one unless configured`() throws {
    #expect(try ExplainAddress(api: nil) == .standard)
    #expect(ExplainAddress.standard.api.description == "https://www.explainxkcd.com/wiki/api.php")
    #expect(
      ExplainAddress.standard.origins.map(\.description).sorted()
        == ["https://explainxkcd.com", "https://www.explainxkcd.com"]
    )
  }

  @Test func `can be configured, also on the loopback`() throws {
    let address = try ExplainAddress(api: "http://127.0.0.1:9000/explain/api.php")
    let question = address.pages(about: [1, 2], continuation: ["c": "a&b"], maximumLag: 3)
    #expect(question.description.hasPrefix("http://127.0.0.1:9000/explain/api.php?action=query&"))
    #expect(question.target.hasSuffix("&titles=1%7C2&maxlag=3&c=a%26b"))
    #expect(address.origins.contains(.init(scheme: .http, host: "127.0.0.1", port: 9000)))
  }

  @Test(arguments: ["explainxkcd.com", "", "https://a.b/?c", "ftp://a.b"])
  func `is rejected with the name of the setting`(value: String) {
    #expect(throws: SettingError.address(setting: "LONGBOX_EXPLAIN_URL", value: value)) {
      try ExplainAddress(api: value)
    }
  }
}
