// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import NIOCore
import Testing

@testable import LongboxServer

@Suite("The catalogue", .timeLimit(.minutes(10))) struct OPDSTests {
  private static let navigation = "application/atom+xml;profile=opds-catalog;kind=navigation"
  private static let acquisition = "application/atom+xml;profile=opds-catalog;kind=acquisition"

  private func path(_ address: String) -> String { address.replacing("http://localhost", with: "") }

  @Test func `leads from its root to every comic, by year`() async throws {
    try await withServer { bench async throws in
      let root = try await bench.xml("/opds", as: Self.navigation)
      let ways = root.elements("entry")
      #expect(ways.flatMap { $0.texts("title") } == ["Latest comics", "By year"])
      let years = try await bench.xml(
        path(try #require(ways[1].links("subsection").first)),
        as: Self.navigation
      )
      #expect(years.elements("entry").flatMap { $0.texts("title") } == ["2027"])
      let link = try #require(years.elements("entry").first?.links("subsection").first)
      let year = try await bench.xml(path(link), as: Self.acquisition)
      #expect(
        year.elements("entry").dropFirst().flatMap { $0.texts("id") }
          == (1...6).map { "https://xkcd.com/\($0)/" }
      )
      #expect(year.links("up") == ["http://localhost/opds/years"])
      #expect(year.links("start") == ["http://localhost/opds"])
    }
  }

  @Test func `lists the newest first, page by page`() async throws {
    try await withServer(FakeXkcd(latest: 120), storing: 120...120) { bench async throws in
      for number in 1..<120 { try? await bench.back.catalog.ensure(Comic.Number(of: number)) }
      var (ids, next): ([String], String?) = ([], "/opds/latest")
      var previous: [String] = []
      while let address = next {
        let page = try await bench.xml(path(address), as: Self.acquisition)
        ids += page.elements("entry").flatMap { $0.texts("id") }
        previous += page.links("previous")
        #expect(page.texts("opensearch:totalResults") == ["120"])
        next = page.links("next").first
      }
      #expect(ids == (1...120).reversed().map { "https://xkcd.com/\($0)/" })
      #expect(previous == ["http://localhost/opds/latest", "http://localhost/opds/latest?page=2"])
    }
  }

  @Test func `is searched by the template in its description`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(4, title: "Pigeon & Co"), for: 4)
    try await withServer(xkcd) { bench async throws in
      let description = try await bench.xml("/opds/search.xml", as: "application/opensearchdescription+xml")
      let url = try #require(description.elements("Url").first)
      #expect(url.attributes["type"] == Self.acquisition)
      let template = try #require(url.attributes["template"])
      let root = try await bench.xml("/opds", as: Self.navigation)
      let direct = root.elements("link").filter { $0.attributes["type"] == "application/atom+xml" }
      #expect(direct.map { $0.attributes["href"] } == [template])
      #expect(direct.map { $0.attributes["rel"] } == ["search"])
      let found = try await bench.xml(
        path(template.replacing("{searchTerms}", with: "pigeon%20%26")),
        as: Self.acquisition
      )
      #expect(found.elements("entry").flatMap { $0.texts("title") } == ["#4 Pigeon & Co"])
      #expect(found.texts("title") == ["xkcd: pigeon &"])
    }
  }

  @Test func `answers HEAD like GET, and is not compressed if the app doesn't want that`() async throws {
    try await withServer { bench async throws in
      for path in ["/opds", "/opds/latest", "/opds/search?q=bread", "/opds/search.xml"] {
        let answer = try await bench.get(path, [.acceptEncoding: "identity"])
        #expect(answer.headers[.contentEncoding] == nil && !answer.bytes.isEmpty, "\(path)")
        let head = try await bench.send(.head, path, [.acceptEncoding: "identity"])
        #expect(head.status == .ok && head.body.readableBytes == 0, "\(path)")
        for name in [.contentType, .contentLength, .eTag, .lastModified] as [HTTPField.Name] {
          #expect(head.headers[name] == answer.headers[name], "\(path): \(name)")
        }
      }
    }
  }

  @Test func `has each comic as a picture and as a comic book`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(3, title: "D&D", alt: "Alt <text>"), for: 3)
    xkcd.set(HandmadeRecord.raw(2, image: ""), for: 2)
    try await withServer(xkcd) { bench async throws in
      let list = try await bench.xml("/opds/latest", as: Self.acquisition)
      let entries = list.elements("entry")
      #expect(entries.flatMap { $0.texts("title") }.contains("#3 D&D"))
      #expect(!entries.flatMap { $0.texts("id") }.contains("https://xkcd.com/2/"), "it has nothing to show")
      let comic = try #require(entries.first { $0.texts("id") == ["https://xkcd.com/3/"] })
      #expect(comic.texts("summary") == ["Alt <text>"])
      let links = comic.links("http://opds-spec.org/acquisition/open-access")
      try #require(links.count == 2)
      #expect(try await bench.get(path(links[1])).bytes == HandmadeRecord.picture(3))
      let book = try await bench.get(path(links[0]))
      #expect(book.headers[.contentType] == "application/vnd.comicbook+zip")
      #expect(book.headers[.contentDisposition] == "attachment; filename=\"xkcd-3.cbz\"")
      #expect(book.bytes.starts(with: [0x50, 0x4B, 3, 4]))
      let picture = HandmadeRecord.picture(3)
      #expect(Data(book.bytes).range(of: Data(picture)) != nil, "the picture is in it as it came")
      #expect(Data(book.bytes).range(of: Data("<Title>D&amp;D</Title>".utf8)) != nil)
      #expect(try await bench.get(path(links[0])).bytes == book.bytes)
      let tag = try #require(book.headers[.eTag])
      #expect(try await bench.get(path(links[0]), [.ifNoneMatch: tag]).status == .notModified)
      #expect(try await bench.problem("/2/comic.cbz").status == 404)
    }
  }
}

@Suite("The catalogue of a reader", .timeLimit(.minutes(10))) struct ReaderCatalogueTests {
  private static let acquisition = "application/atom+xml;profile=opds-catalog;kind=acquisition"

  /// The path of a reader's own catalogue.
  private func catalogue(of reader: inout Browser) async throws -> String {
    _ = try await reader.send("/feeds/favorites", "action=make")
    let page = try await reader.get("/feeds").text
    let found = try #require(page.firstMatch(of: /href="http:\/\/localhost(\/feeds\/[\w-]{22}\/opds)"/))
    return String(found.1)
  }

  private func ids(_ feed: SentXML) -> [String] {
    feed.elements("entry").flatMap { $0.texts("id") }.filter { $0.hasPrefix("https:") }
  }

  @Test func `has their favorites and what they have not read`() async throws {
    try await withServer { bench async throws in
      var reader = Browser(bench: bench)
      for comic in [2, 5] { _ = try await reader.send("/favorites/set", "comic=\(comic)&on=yes") }
      _ = try await reader.get("/3/")
      let root = try await catalogue(of: &reader)
      let ways = try await SentXML(parsing: bench.get(root).bytes).elements("entry")
      #expect(ways.flatMap { $0.texts("title") } == ["Favorites", "Unread", "All comics"])
      let favorites = try await bench.xml("\(root)/favorites", as: Self.acquisition)
      #expect(Set(ids(favorites)) == ["https://xkcd.com/5/", "https://xkcd.com/2/"])
      #expect(favorites.links("up") == ["http://localhost\(root)"])
      let unread = try await bench.xml("\(root)/unread", as: Self.acquisition)
      #expect(ids(unread) == [1, 2, 4, 5, 6].map { "https://xkcd.com/\($0)/" })
      #expect(try await bench.get(root).headers[.cacheControl] == "private, no-cache")
      #expect(try await bench.send(.head, "\(root)/unread").status == .ok)
      #expect(try await bench.problem("\(root)/unread?page=2").parameter == "page")
      _ = try await reader.send("/feeds/favorites", "action=revoke")
      for end in ["", "/favorites", "/unread", "/favorites.cbz"] {
        #expect(try await bench.get(root + end).status == .notFound, "\(end)")
      }
    }
  }

  @Test func `has the favorites as one comic book`() async throws {
    try await withServer { bench async throws in
      var reader = Browser(bench: bench)
      let root = try await catalogue(of: &reader)
      #expect(try await bench.get("\(root)/favorites.cbz").status == .notFound, "it has no pages")
      for comic in [2, 5] { _ = try await reader.send("/favorites/set", "comic=\(comic)&on=yes") }
      let list = try await bench.xml("\(root)/favorites", as: Self.acquisition)
      let link = list.elements("entry").first?.links("http://opds-spec.org/acquisition/open-access")
      #expect(link == ["http://localhost\(root)/favorites.cbz"])
      let book = try await bench.get("\(root)/favorites.cbz")
      #expect(book.headers[.contentDisposition] == "attachment; filename=\"xkcd-favorites.cbz\"")
      #expect(Data(book.bytes).range(of: Data(HandmadeRecord.picture(2))) != nil)
    }
  }
}

@Suite("A comic book of many comics", .timeLimit(.minutes(10))) struct ComicBookPressTests {
  @Test func `has all comics of a year that have a picture`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(2, image: ""), for: 2)
    try await withServer(xkcd) { bench async throws in
      let book = try await bench.get("/opds/years/2027.cbz")
      #expect(book.status == .ok)
      #expect(book.headers[.contentType] == "application/vnd.comicbook+zip")
      #expect(book.headers[.contentDisposition] == "attachment; filename=\"xkcd-2027.cbz\"")
      let bytes = Data(book.bytes)
      for number in [1, 3, 4, 5, 6] {
        #expect(bytes.range(of: Data(HandmadeRecord.picture(number))) != nil, "\(number)")
      }
      #expect(bytes.range(of: Data("0002-xkcd-3.".utf8)) != nil, "pages have their order in their names")
      #expect(bytes.range(of: Data("<PageCount>5</PageCount>".utf8)) != nil)
      #expect(bytes.range(of: Data("Could not be fetched".utf8)) == nil)
      #expect(try await bench.send(.head, "/opds/years/2027.cbz").body.readableBytes == 0)
      #expect(try await bench.problem("/opds/years/2027.cbz?page=2").parameter == "page")
      #expect(try await bench.problem("/opds/years/1999.cbz").status == 404)
    }
  }

  @Test func `is one of several if there are very many`() throws {
    let numbers = (1...1_000).compactMap { Comic.Number($0) }
    let volumes = ComicBookVolume.volumes(of: numbers)
    #expect(volumes.map(\.index) == [1, 2, 3])
    #expect(volumes.flatMap(\.numbers) == numbers)
    #expect(ComicBookVolume.volumes(of: []).isEmpty)
  }
}

@Suite("A stored ZIP archive") struct StoredZipTests {
  /// The expected bytes are from APPNOTE.TXT; 0xCBF43926 is the standard check value of CRC-32.
  @Test func `has exactly the bytes that the format specifies`() {
    var zip = StoredZip(date: CalendarDate(year: 2007, month: 12, day: 5))
    let content = Array("123456789".utf8)
    let header = zip.header(of: content, named: "a")
    let date: [UInt8] = [0x85, 0x37]
    let sum: [UInt8] = [0x26, 0x39, 0xF4, 0xCB]
    let size: [UInt8] = [9, 0, 0, 0]
    let facts = [10, 0, 0, 0, 0, 0, 0, 0] + date + sum + size + size + [1, 0, 0, 0]
    let local = [0x50, 0x4B, 3, 4] + facts + Array("a123456789".utf8)
    let directory =
      [0x50, 0x4B, 1, 2, 10, 0] + facts + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + [0x61]
    let end: [UInt8] =
      [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] + [UInt8(directory.count), 0, 0, 0] + [
        UInt8(local.count), 0, 0, 0,
      ]
      + [0, 0]
    #expect(header + content + zip.end == local + directory + end)
  }
}
