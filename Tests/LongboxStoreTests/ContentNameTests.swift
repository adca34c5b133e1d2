// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxStore

@Suite struct `Content names` {
  @Test func `are equal for equal bytes, and start with a folder of two digits`() {
    let name = ContentName(of: [], ending: "gif")
    #expect(name.value == "e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.gif")
    #expect(name == ContentName(of: [], ending: "gif"))
    #expect(ContentName(name.value) == name)
  }

  @Test(arguments: [
    "", "e3", "../../etc/passwd", "e3/b0c4.gif", "/etc/passwd.png",
    "e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.html",
    "e3/B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855.gif",
    "e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca49599/b7852b855.gif",
    "e3/../298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855aa.gif",
    "e3b/0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.gif",
  ])
  func `are rejected in any other form`(name: String) {
    #expect(ContentName(name) == nil)
  }
}
