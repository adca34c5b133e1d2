// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxPages
import LongboxStore
import TestSupport
import Testing

@testable import LongboxCatalog
@testable import LongboxServer
@testable import longbox_replay

/// The real records are not part of the repository: a plain clone skips these tests.
private let needsRecordings = ConditionTrait.enabled(
  if: RecordedData.isPresent,
  "no recorded data: set LONGBOX_SHARED to the folder above data/"
)

@Suite("The recorded comics end to end", .timeLimit(.minutes(10)), needsRecordings)
struct RecordedComicsTests {
  /// An odd comic, and what its page must show and must not show.
  struct Example: CustomTestStringConvertible {
    let number: Int
    let why: String
    var shows: [String] = []
    var hides: [String] = []
    var testDescription: String { "\(number): \(why)" }

    private static let absent = "This comic only works on xkcd.com."
    private static let interactive = "This comic is interactive"

    static let all: [Example] = [
      Example(
        number: 353,
        why: "a plain one",
        shows: [
          "<bdi>Python</bdi>", "width=\"518\" height=\"588\"", "5 December 2007", "I wrote 20 short programs",
          "<summary>Transcript</summary>", "CC BY-NC 2.5",
        ],
        hides: [interactive, absent]
      ),
      Example(
        number: 1036,
        why: "the owner of the picture that 1037 names",
        shows: ["/comics/1036/image?v="],
        hides: [absent]
      ),
      Example(
        number: 1037,
        why: "interactive, names the picture of 1036",
        shows: ["Umwelt", absent, interactive, "https://xkcd.com/1037/"],
        hides: ["/comics/1037/image"]
      ),
      Example(
        number: 1349,
        why: "the owner of the picture that 1350 names",
        shows: ["/comics/1349/image?v="]
      ),
      Example(
        number: 1350,
        why: "interactive, names the picture of 1349",
        shows: ["Lorenz", absent, interactive, "https://xkcd.com/1350/"],
        hides: ["/comics/1350/image"]
      ),
      Example(
        number: 1608,
        why: "interactive, no picture, its own transcript",
        shows: ["Hoverboard", absent, interactive, "https://xkcd.com/1608/"],
        hides: ["/comics/1608/image"]
      ),
      Example(
        number: 1663,
        why: "interactive, no picture, another comic's transcript",
        shows: ["Garden", absent, interactive],
        hides: ["/comics/1663/image", "id=\"transcript\""]
      ),
      Example(number: 259, why: "an entity in its title", shows: ["<bdi>Clichéd Exchanges</bdi>"]),
      Example(
        number: 472,
        why: "markup in its title",
        shows: ["<bdi>House of Pancakes</bdi>"],
        hides: ["style="]
      ),
      Example(
        number: 859,
        why: "a title of one parenthesis",
        shows: ["<bdi>(</bdi>", "/comics/859/image?v="]
      ),
      Example(number: 1137, why: "an override of direction", shows: ["<bdi>\u{202E}LTR</bdi>"]),
      Example(number: 1913, why: "a replacement character on purpose", shows: ["<bdi>A \u{FFFD}</bdi>"]),
      Example(
        number: 2175,
        why: "an accent that blind repair would break",
        shows: ["Flag Interpretation"],
        hides: ["Ã"]
      ),
      Example(number: 3142, why: "brackets that are text", shows: ["<bdi>&lt;City&gt;-Style Pizza</bdi>"]),
      Example(number: 1193, why: "no alt text", shows: ["Externalities"], hides: ["class=\"alt\""]),
      Example(
        number: 1732,
        why: "very tall",
        shows: ["class=\"picture tall", "width=\"740\" height=\"14957\""]
      ),
      Example(number: 62, why: "turned by EXIF", shows: ["/comics/62/image?v="]),
      Example(
        number: 124,
        why: "mojibake in its transcript",
        shows: ["id=\"transcript\""],
        hides: ["â\u{80}"]
      ),
      Example(number: 1446, why: "percent signs in its picture's name", shows: ["/comics/1446/image?v="]),
      Example(number: 1110, why: "a transparent picture", shows: ["/comics/1110/image?v="]),
      Example(
        number: 581,
        why: "the transcript of 582",
        shows: ["id=\"main\""],
        hides: ["id=\"transcript\""]
      ),
      Example(number: 3282, why: "the latest", shows: ["This is the latest comic."]),
      Example(number: 1, why: "the first", shows: ["This is the first comic.", "1 January 2006"]),
    ]
  }

  @Test func `each odd one is shown correctly`() async throws {
    let folder = try #require(RecordedData.folder)
    try await withReplay(of: folder) { bench async throws in
      let latest = try await bench.get("/")
      #expect(latest.status == .ok)
      #expect(latest.text.contains("<title>#3282 "))
      for example in Example.all {
        let page = try await bench.get("/\(example.number)/")
        #expect(page.status == .ok, "\(example.testDescription)")
        for text in example.shows { #expect(page.text.contains(text), "\(example.testDescription): \(text)") }
        for text in example.hides {
          #expect(!page.text.contains(text), "\(example.testDescription): \(text)")
        }
        try await Self.checkPicture(of: example.number, page, bench)
      }
      let missing = try await bench.get("/404/")
      #expect(missing.status == .notFound)
      #expect(missing.text.contains("There is no comic 404"))
      #expect(!bench.replayed.log.counts.byPath.keys.contains("/404/info.0.json"))
    }
  }

  /// Checks that the picture loads, and has the size that the page reserves for it.
  private static func checkPicture(of number: Int, _ page: TestResponse, _ bench: ReplayBench) async throws {
    let pattern = /src="(\/comics\/[^"]*)"[^>]* width="(\d+)" height="(\d+)"/
    guard let image = page.text.firstMatch(of: pattern) else { return }
    let answer = try await bench.get(String(image.1))
    #expect(answer.status == .ok, "comic \(number)")
    #expect(answer.headers[.cacheControl]?.contains("immutable") == true, "comic \(number)")
    let facts = try await CatalogBench.inspector.facts(of: answer.bytes)
    #expect(Int(image.2) == facts.width && Int(image.3) == facts.height, "comic \(number)")
  }

  private static func importTexts(from source: URL, into folder: TemporaryFolder) async throws -> ImportReport
  {
    let store = try Store.open(folder.url)
    let report = try await Importer(store: store, now: { SettableTime.start })
      .run(ImportFolder(path: source.path), pictures: false)
    try await store.closeOnNewThread()
    return report
  }

  @Test func `all 3,281 are imported, and each has its page and its record`() async throws {
    let data = try #require(RecordedData.folder)
    let records = try RecordedData.comicRecords()
    #expect(records.count == 3_281)
    let folder = TemporaryFolder()
    let report = try await Self.importTexts(from: data.appending(path: "xkcd"), into: folder)
    #expect(report.comics.new == 3_281)
    #expect(report.skipped.isEmpty)
    try await withServer(FakeXkcd(latest: 1), storing: nil, in: folder) { bench async throws in
      let archive = bench.back.catalog.snapshot.archive
      #expect(archive.count == 3_281)
      var index = 0
      for value in 1...3_282 {
        guard let number = Comic.Number(value) else { continue }
        let question = LongboxPages.Request(path: Link.comic(number).address)
        var library = Replica(device: 1)
        let page = render(
          Route(question),
          in: question,
          archive: archive,
          library: &library,
          loaded: Loaded(),
          context: PageContext()
        )
        #expect(page.status == 200, "comic \(value)")
        let record = try await bench.get("/\(value)/info.0.json")
        #expect(record.bytes == records[index], "comic \(value)")
        index += 1
      }
      #expect(try await bench.get("/info.0.json").bytes == records.last)
      let all = try await bench.get("/comics?view=list")
      #expect(all.text.components(separatedBy: "<li id=\"c").count - 1 >= 3_281)
      #expect(bench.xkcd.takePaths() == [])
    }
  }
}
