// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream
import Testing

@Suite struct `A validator` {
  @Test func `is read from a reply, and sent with the next request`() throws {
    let address = try #require(WebAddress("https://xkcd.com/"))
    let headers: HeaderFields = ["etag": "W/\"1\"", "LAST-MODIFIED": "Mon, 09 Feb 2026 00:00:00 GMT"]
    let validator = try #require(Reply(status: 200, headers: headers, address: address).validator)
    #expect(validator.entityTag == "W/\"1\"")
    #expect(validator.headers["If-None-Match"] == "W/\"1\"")
    #expect(validator.headers["If-Modified-Since"] == "Mon, 09 Feb 2026 00:00:00 GMT")
  }

  @Test func `with one value sends one field`() throws {
    #expect(
      try #require(Validator(entityTag: "\"1\"", lastModified: nil)).headers.fields.map(\.name) == [
        "If-None-Match"
      ]
    )
    #expect(
      try #require(Validator(entityTag: nil, lastModified: "x")).headers.fields.map(\.name) == [
        "If-Modified-Since"
      ]
    )
  }

  @Test(arguments: [nil, "", "a\r\nb", "é", String(repeating: "a", count: 201)])
  func `is nil where nothing can be sent`(value: String?) {
    #expect(Validator(entityTag: value, lastModified: value) == nil)
  }
}
