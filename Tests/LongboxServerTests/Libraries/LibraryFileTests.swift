// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxPages
import LongboxStore
import NIOCore
import Testing

@testable import LongboxServer

extension Browser {
  fileprivate mutating func importing(
    file: String = "",
    text: String = "",
    _ headers: HTTPFields = [.origin: "http://localhost"]
  ) async throws -> TestResponse {
    let body = """
      --X\r\nContent-Disposition: form-data; name="file"; filename="list"\r\nContent-Type: text/plain\r\n\r\n\(file)\r\n\
      --X\r\nContent-Disposition: form-data; name="text"\r\n\r\n\(text)\r\n--X--\r\n
      """
    return try await post(
      "/settings/import",
      ByteBuffer(string: body),
      as: "multipart/form-data; boundary=X",
      headers
    )
  }
}

@Suite("Import and export") struct LibraryFileTests {
  @Test func `carry a library from one reader to another`() async throws {
    try await withServer { bench async throws in
      var one = Browser(bench: bench)
      _ = try await one.send("/favorites/set", "comic=5&on=yes")
      _ = try await one.send("/favorites/note", "comic=5&note=my+note")
      let file = try await one.get("/settings/export")
      #expect(file.headers[.contentType] == "application/json; charset=utf-8")
      #expect(file.headers[.contentDisposition] == "attachment; filename=\"longbox-library.json\"")
      #expect(file.headers[.cacheControl] == "private, no-store")
      var other = Browser(bench: bench)
      let page = try await other.importing(file: file.text)
      #expect(page.status == .ok)
      #expect(page.text.contains("1 favorite added.") && page.text.contains("1 note added."))
      #expect(other.cookie != nil && other.cookie != one.cookie)
      #expect(try await other.get("/favorites").text.contains("my note"))
    }
  }

  @Test func `report what was imported and what was skipped`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      _ = try await browser.send("/favorites/set", "comic=1&on=yes")
      let page = try await browser.importing(text: "1 2 3 404 7")
      #expect(page.text.contains("2 favorites added, 1 was there already."))
      #expect(page.text.contains("Left out, since there is no such comic: 404, 7."))
    }
  }

  @Test func `reach a device that syncs`() async throws {
    try await withServer { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      try device.like(1)
      try await device.sync()
      _ = try await device.browser.importing(text: "2 3")
      try await device.sync()
      #expect(device.favorites == [1, 2, 3])
    }
  }

  @Test(arguments: [
    ("", "", "Choose a file, or paste its text"), (" \r\n", "\t", "Choose a file, or paste its text"),
    ("1", "2", "Send one of them, not both"), ("1\n2\nx", "", "in line 3, “x”"), ("", "[1", "not whole JSON"),
  ])
  func `change nothing if the file is wrong`(file: String, text: String, said: String) async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let page = try await browser.importing(file: file, text: text)
      #expect(page.status == .badRequest)
      #expect(page.text.contains(said) && page.text.contains("role=\"alert\""))
      #expect(page.text.contains("type=\"file\""), "the form is there to try again")
      #expect(browser.cookie == nil)
      #expect(try await bench.back.store.usage().libraries == 0)
    }
  }

  @Test func `name all lines that can't be read, keep the text, and take the rest if the reader says so`()
    async throws
  {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let page = try await browser.importing(text: "1. One\nfive\n\n2\n<b>")
      #expect(page.status == .badRequest && browser.cookie == nil)
      #expect(page.text.contains("Line 2: “five”") && page.text.contains("Line 5: “&lt;b&gt;”"))
      #expect(page.text.contains("\n1. One\nfive\n\n2\n&lt;b&gt;</textarea>"), "to correct it")
      #expect(page.text.contains("Import the other lines"))
      #expect(page.text.contains(#"name="text" value="1 2 ""#))
      let rest = try await browser.importing(text: "1 2 ")
      #expect(rest.status == .ok && rest.text.contains("2 favorites added."))
      let none = try await browser.importing(text: "five")
      #expect(!none.text.contains("Import the other"))
    }
  }

  @Test func `escape markup in a file`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let page = try await browser.importing(text: "<script>alert(1)</script>")
      #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>"))
    }
  }

  @Test func `reject forms of other sites, other media types, and long bodies`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let evil: HTTPFields = [.origin: "http://evil.example"]
      #expect(try await browser.importing(text: "1", evil).status == .forbidden)
      #expect(try await browser.send("/settings/import", "text=1").status == .unsupportedMediaType)
      let long = String(repeating: "1 ", count: LibraryFileController.importLimit / 2)
      #expect(try await browser.importing(text: long).status == .contentTooLarge)
      #expect(try await bench.back.store.usage().libraries == 0)
    }
  }

  @Test func `return an empty file without a cookie if there is no library`() async throws {
    try await withServer { bench async throws in
      let file = try await Browser(bench: bench).get("/settings/export")
      #expect(file.text.contains("\"favorites\" : [\n\n  ]"))
      #expect(file.headers[.setCookie] == nil)
    }
  }
}

@Suite("A content type") struct MultipartBoundaryTests {
  @Test(arguments: [
    ("multipart/form-data; boundary=----WebKitFormBoundaryabc", "----WebKitFormBoundaryabc"),
    ("Multipart/Form-Data;boundary=\"a b\"", "a b"),
    ("multipart/form-data; charset=utf-8; Boundary=x", "x"),
    ("multipart/form-data", nil), ("multipart/mixed; boundary=x", nil), ("text/plain; boundary=x", nil),
    ("multipart/form-data; boundary=", nil), ("multipart/form-data; boundary=ü", nil), (nil, nil),
    ("multipart/form-data; boundary=" + String(repeating: "x", count: 71), nil),
  ])
  func `has a boundary`(contentType: String?, boundary: String?) {
    #expect(MultipartForm.boundary(in: contentType)?.description == boundary)
  }
}
