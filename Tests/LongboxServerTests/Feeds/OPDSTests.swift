// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
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
        year.elements("entry").flatMap { $0.texts("id") }
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
      let found = try await bench.xml(
        path(template.replacing("{searchTerms}", with: "pigeon%20%26")),
        as: Self.acquisition
      )
      #expect(found.elements("entry").flatMap { $0.texts("title") } == ["#4 Pigeon & Co"])
      #expect(found.texts("title") == ["xkcd: pigeon &"])
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

@Suite("A stored ZIP archive") struct StoredZipTests {
  /// The expected bytes are from APPNOTE.TXT; 0xCBF43926 is the standard check value of CRC-32.
  @Test func `has exactly the bytes that the format specifies`() {
    var zip = StoredZip(date: CalendarDate(year: 2007, month: 12, day: 5))
    zip.add(Array("123456789".utf8), named: "a")
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
    #expect(zip.bytes == local + directory + end)
  }
}
