// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxDevice

@Suite struct LibraryFileTests {
  private static func form(file: String = "", text: String = "") -> String {
    """
    --X\r\nContent-Disposition: form-data; name="file"; filename="list"\r\nContent-Type: text/plain\r\n\r\n\(file)\r\n\
    --X\r\nContent-Disposition: form-data; name="text"\r\n\r\n\(text)\r\n--X--\r\n
    """
  }

  @Test(arguments: [false, true])
  func `goes from one device to another`(isOffline: Bool) throws {
    let one = try DeviceBench.opened()
    _ = try one.answer(to: Ask("/favorites/set", form: "comic=2&on=yes&back=/"))
    _ = try one.answer(to: Ask("/favorites/note", form: "comic=2&note=my+note&back=/"))
    let file = try one.answer(to: Ask("/settings/export", isOffline: isOffline))
    #expect(file.isFile && file.status == 200 && !file.isLibraryChanged && !file.serverMayKnowMore)
    #expect(file.page.contains("\"format\" : \"longbox-library\"") && file.page.contains("my note"))
    let other = try DeviceBench.opened()
    let ask = Ask("/settings/import", form: Self.form(file: file.page), isOffline: isOffline)
    let page = try other.answer(to: ask)
    #expect(page.status == 200 && page.isLibraryChanged && !page.isFile && other.asked.isEmpty)
    #expect(page.page.contains("1 favorite added.") && page.page.contains("1 note added."))
    #expect(try other.answer(to: Ask("/favorites")).page.contains("my note"))
  }

  @Test(arguments: [
    (Self.form(), "Choose a file"), (Self.form(file: "1", text: "2"), "Send one of them"),
    (Self.form(text: "x"), "in line 1, “x”"), (Self.form(text: "[1"), "not whole JSON"),
    ("comic=2", "arrived incomplete"), ("", "arrived incomplete"),
    (Self.form(text: String(repeating: "1 ", count: 1 << 22)), "at most 8 MB"),
  ])
  func `changes nothing if it is wrong`(form: String, said: String) throws {
    let bench = try DeviceBench.opened()
    let page = try bench.answer(to: Ask("/settings/import", form: form))
    #expect(page.status == 400 && !page.isLibraryChanged && !page.serverMayKnowMore)
    #expect(page.page.contains(said) && page.page.contains("role=\"alert\""))
    #expect(page.page.contains("type=\"file\""), "the form is there to try again")
  }
}
