// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import longbox

@Suite("The address of a Longbox") struct ServerAddressTests {
  @Test(arguments: [
    ("http://127.0.0.1:8353", "http://127.0.0.1:8353/353/"),
    ("http://127.0.0.1:8353/", "http://127.0.0.1:8353/353/"),
    ("https://comics.example.org/longbox", "https://comics.example.org/longbox/353/"),
  ])
  func `leads to what is below it`(text: String, page: String) throws {
    #expect(try ServerAddress(text).url("/353/") == page)
  }

  @Test(arguments: ["", "comics.example.org", "ftp://example.org", "http://a b", "http://example.org/?x=1"])
  func `is refused with what to do`(text: String) {
    #expect(throws: ReaderError.self) { try ServerAddress(text) }
  }

  @Test func `is noted for this machine`() throws {
    let folder = TemporaryFolder()
    #expect(ServerAddress(of: folder.url) == nil)
    let noted = ServerAddress.onThisMachine("http://0.0.0.0:8353/longbox")
    try folder.write(Array("\(noted)\n".utf8), to: ServerAddress.fileName)
    #expect(ServerAddress(of: folder.url)?.description == "http://127.0.0.1:8353/longbox")
    #expect(ServerAddress.onThisMachine("http://[::]:1") == "http://127.0.0.1:1")
  }

  @Test func `names a folder without separators`() throws {
    let name = try ServerAddress("https://a.example:8443/b/../c").folderName
    #expect(!name.contains("/") && !name.contains(":"))
  }

  @Test(arguments: ["AAAAAAAAAAAAAAAAAAAAA_", "http://x/join?code=AAAAAAAAAAAAAAAAAAAAA_"])
  func `carries a code`(text: String) throws {
    #expect(try Pair.code(in: text) == "AAAAAAAAAAAAAAAAAAAAA_")
  }

  @Test(arguments: ["", "short", "AAAAAAAAAAAAAAAAAAAAA/", "http://x/join?code=AAAA&x=AAAAAAAAAAAAAAAAA"])
  func `without a code is refused`(text: String) {
    #expect(throws: ReaderError.self) { try Pair.code(in: text) }
  }
}
