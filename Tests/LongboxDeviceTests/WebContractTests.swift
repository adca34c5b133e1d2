// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing

@testable import LongboxDevice
@testable import LongboxPages

/// The text of the web application's scripts, to compare what they and Swift both know.
///
/// A part is found by its first words in any file, so a script can move.
struct WebScripts {
  let text: String

  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    let folder = Self.repository.appending(path: "Web/src")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let scripts = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "js" }
    text = try scripts.sorted { $0.path < $1.path }.map { try String(contentsOf: $0, encoding: .utf8) }
      .joined()
  }

  /// A page of the documentation.
  static func documentation(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  /// The text between the first occurrence of a start and the next end.
  func part(after start: String, upTo end: String) throws -> String {
    let from = try #require(text.range(of: start), "no script has \(start)").upperBound
    let to = try #require(text.range(of: end, range: from..<text.endIndex)).lowerBound
    return String(text[from..<to])
  }

  /// The words of `const name = … (["one", "two"])`.
  func words(of name: String) throws -> [String] {
    try part(after: "const \(name) = ", upTo: "]").found(#""([\w-]+)""#).map { $0[1] }
  }

  /// The number of `const name = 6`.
  func number(of name: String) throws -> Int? {
    Int(try part(after: "const \(name) = ", upTo: "\n").filter { $0 != "_" })
  }

  /// The regular expression of `const name = /…/`.
  func pattern(of name: String) throws -> String {
    String(try part(after: "const \(name) = /", upTo: "\n").dropLast()).replacingOccurrences(
      of: #"\/"#,
      with: "/"
    )
  }
}

extension String {
  /// All matches of a pattern, each with its groups; a group without a match is empty.
  fileprivate func found(_ pattern: String) throws -> [[String]] {
    try matches(of: Regex(pattern)).map { match in
      match.output.map { $0.substring.map { String($0) } ?? "" }
    }
  }
}

@Suite struct WebContractTests {
  private let web: WebScripts

  init() throws { web = try WebScripts() }

  // Messages to the module

  @Test func `operations have the same numbers`() throws {
    let numbers = try web.part(after: "const Operation = Object.freeze({", upTo: "}").found(#"(\w+): (\d+)"#)
    let operations = LongboxDevice.Operation.allCases.map { ["\($0)", "\($0.rawValue)"] }
    #expect(numbers.map { Array($0.dropFirst()) } == operations)
    let documented = try WebScripts.documentation("docs/device.md").found(
      #"\n\| (\d+) \| (\w+) \|(?=[^\n|]*\|[^\n|]*\|\n)"#
    )
    for operation in operations {
      #expect(
        documented.contains { $0[2] == operation[0] && $0[1] == operation[1] },
        "\(operation) in docs/device.md"
      )
    }
  }

  /// One need of each kind.
  private static func needs() throws -> [Need] {
    let album = try #require(StoreID("70"))
    let country = try #require(StoreCountry("us"))
    return [
      .latest, .comic(.first), .picture(.first), .explanationLead(.first), .explanation(.first),
      .search(SearchQuestion(text: "a")), .artists("a", nil, recent: []), .discography(album, nil, .all),
      .album(album, nil), .quizAlbum(album, nil), .storedAlbum(album, country), .server,
      .explanationText(.first), .storedComics,
    ]
  }

  @Test func `needs have the same kinds`() throws {
    let kinds = try Self.needs().map { need in (name: "\(need)".prefix { $0 != "(" }, kind: Int(need.kind)) }
    #expect(kinds.map { $0.kind } == Array(kinds.indices))
    #expect(try web.words(of: "needKinds") == kinds.map { String($0.name) })
    let documented = try WebScripts.documentation("docs/device.md")
    for (name, kind) in kinds {
      #expect(documented.contains("\n| \(kind) | \(name) |"), "\(name) in docs/device.md")
    }
  }

  @Test func `values have the same states`() throws {
    let states: [String: Loaded.Value] = [
      "value": .text("x"), "absent": .absent, "unreachable": .unavailable,
    ]
    let names = try web.words(of: "states")
    #expect(names.count == states.count)
    for (number, name) in names.enumerated() {
      let value = Loaded.Value(state: UInt8(number), value: "x", of: .explanationText(.first))
      #expect(value == states[name], "\(name)")
    }
  }

  @Test func `selections of pictures and outcomes of a sync have the same numbers`() throws {
    #expect(try web.words(of: "pictureSelections") == PictureSelection.allCases.map { "\($0)" })
    #expect(PictureSelection.allCases.map { Int($0.rawValue) } == Array(PictureSelection.allCases.indices))
    let outcomes: [SyncProgress] = [.settled, .again, .ignored, .diverged]
    #expect(try web.words(of: "outcomes") == outcomes.map { "\($0)" })
    #expect(outcomes.map { Int($0.code) } == Array(outcomes.indices))
  }

  @Test func `needs are loaded in as many rounds`() throws {
    #expect(try web.number(of: "mostRounds") == Gathering.mostRounds)
  }

  @Test func `a request has the same fields`() throws {
    let chain = try web.part(after: "const message = new MessageWriter()\n      .byte(", upTo: "for (const")
    let texts = try chain.found(#"\.text\((\w+)"#).map { $0[1] }
    #expect(texts == ["path", "query", "form", "assets", "version", "base", "shared"])
    #expect(
      try chain.found(#"\)\s+\.word64\(random64\(\)\)\.word64\(Date\.now\(\)\)\s+\.text\(path\)"#).count == 1
    )
    func message(flags: UInt8) throws -> RespondMessage {
      var writer = MessageWriter()
      writer.append(flags)
      for number in [1, 0, 2, 0] { writer.append32(number) }
      for text in texts { writer.append(string: text) }
      writer.append32(0)
      var reader = MessageReader(writer.bytes)
      return try #require(RespondMessage(&reader))
    }
    let plain = try message(flags: 0)
    #expect(plain.request == Request(path: "path", query: "query", body: "form", random: 1, now: 2))
    #expect(plain.context.assetVersion == "assets" && plain.context.version == "version")
    #expect(plain.context.basePath == "base" && plain.context.shared == "shared")
    let flags: [String: (RespondMessage) -> Bool] = [
      "form": { $0.request.method == .post }, "isOffline": { $0.context.isOffline },
      "isPrefetch": { $0.request.isPrefetch }, "copy": { $0.context.site.isStaticCopy },
    ]
    let bits = try chain.found(#"\((\w+)(?: === null \? 0 : | \? )(\d+)"#)
    #expect(Set(bits.map { $0[1] }) == Set(flags.keys))
    for bit in bits {
      let asked = try message(flags: try #require(UInt8(bit[2])))
      for (name, isSet) in flags {
        #expect(isSet(asked) == (name == bit[1]), "\(name) by the bit of \(bit[1])")
      }
    }
    let shift = try #require(chain.found(#"copy\.pictures << (\d+)"#).first.flatMap { UInt8($0[1]) })
    for pictures in Site.Pictures.allCases {
      #expect(try message(flags: 8 | pictures.rawValue << shift).context.site.pictures == pictures)
    }
  }

  @Test func `a reply has the same fields`() throws {
    let reading = try web.part(after: "export function readReply(bytes) {", upTo: "\n}\n")
    let fields = try reading.found(#"(\w+)(?: =|:) reader\.(\w+)\("#).map { "\($0[1]) \($0[2])" }
    #expect(
      fields == [
        "needs list", "key text", "status word32", "flags byte", "viewed word32", "location text",
        "body bytes",
      ]
    )
    let device = try DeviceBench.opened()
    let asked = [
      "isLibraryChanged": Ask("/favorites/set", form: "comic=1&on=yes"), "serverMayKnowMore": Ask("/9/"),
      "isFile": Ask("/settings/export"),
    ]
    let flags = try reading.found(#"(\w+): \(flags & (\d+)\)"#)
    #expect(Set(flags.map { $0[1] }) == Set(asked.keys))
    for flag in flags {
      let reply = try #require(asked[flag[1]].flatMap { device.perform(.respond, $0.message) })
      // A page that the server may know more of is noted as the reader's place, too.
      let bit = try #require(UInt8(flag[2]))
      #expect(reply[5] & bit == bit, "\(flag[1])")
    }
  }

  @Test func `facts have the same fields`() throws {
    let device = try DeviceBench.opened()
    for (path, form) in [
      ("/favorites/set", "comic=2&on=yes"), ("/settings/set", "keep=on"),
      ("/albums/save", "album=70&country=gb&name=Wick&artist=Boxes&year=2001"),
    ] { #expect(try device.answer(to: Ask(path, form: form)).status == 303) }
    var reader = MessageReader(try #require(device.perform(.facts)))
    var facts: [String: String] = [:]
    for line in try web.part(after: "get facts() {", upTo: "\n  }\n").split(separator: "\n") {
      if line.contains("reader.bytes(4 * 4)") { for _ in 0..<4 { _ = reader.word32() } }
      guard let field = try String(line).found(#"(\w+): reader\.(\w+)\((?:\(\) => reader\.(\w+))?"#).first
      else { continue }
      switch (field[2], field[3]) {
      case ("word32", ""): facts[field[1]] = reader.word32().map { "\($0)" }
      case ("byte", ""): facts[field[1]] = reader.byte().map { "\($0)" }
      case ("list", "word32"):
        facts[field[1]] = "\((0..<(reader.word32() ?? 0)).compactMap { _ in reader.word32() })"
      case ("list", "text"):
        facts[field[1]] = "\((0..<(reader.word32() ?? 0)).compactMap { _ in reader.text()?.description })"
      default: Issue.record("an unknown field: \(line)")
      }
    }
    #expect(reader.rest.isEmpty)
    #expect(
      facts == [
        "latest": "3", "isSampleBox": "0", "isDueForSync": "1", "keepsComics": "1", "favorites": "[2]",
        "albums": "[\"/albums/70?country=gb\"]",
      ]
    )
  }

  @Test func `a segment has the same header`() throws {
    let segment = try DeviceBench.segment(of: [(1, "Barrel")])
    let header = try Segment(segment)
    let reading = try web.part(after: "export function header(segment) {", upTo: "\n}\n")
    let offsets = try reading.found(#"(\w+): view\.getUint32\((\d+), true\)"#)
    let values = ["revision": header.revision, "base": header.base, "rules": header.rules, "samples": 0]
    #expect(Set(offsets.map { $0[1] }) == Set(values.keys))
    for offset in offsets {
      var reader = MessageReader(Array(segment.dropFirst(try #require(Int(offset[2])))))
      let word = try #require(reader.word32().map { Int($0) })
      #expect((offset[1] == "samples" ? word & 1 : word) == values[offset[1]], "\(offset[1])")
    }
    let signature = try web.part(after: "export function isSegment(bytes) {", upTo: "\n}\n").found(
      #"0x([0-9a-f]{8})"#
    )
    let bytes = signature.map { $0[1] }.joined()
    #expect(segment.prefix(8).map { String(format: "%02x", $0) }.joined() == bytes)
  }

  // Addresses

  @Test func `addresses of files are those of links`() throws {
    let comic = try #require(Comic.Number(353))
    let album = try #require(StoreID("70"))
    let pictures: [Link] = [
      .picture(comic, doubleSize: false, version: .empty), .picture(comic, doubleSize: true, version: .empty),
      .largerPicture(comic, version: .empty), .thumbnail(comic, version: .empty),
    ]
    for link in pictures {
      #expect(
        try link.address.description.found(web.pattern(of: "picturePath")).first?[1] == "353",
        "\(link)"
      )
    }
    #expect(try !Link.comic(comic).address.description.contains(Regex(web.pattern(of: "picturePath"))))
    #expect(
      try Link.cover(album, isSmall: false).address.description.contains(Regex(web.pattern(of: "coverPath")))
    )
    let explanation = Link.explanation(comic).address.description
    #expect(try explanation.found(web.pattern(of: "explanationFragmentPath")).first?[1] == "353")
    let picture = try web.part(after: "const pictureAddress = (comic) => `", upTo: "`")
    #expect(picture.replacing("${comic}", with: "353") == pictures[0].address.description)
  }

  @Test func `files of a static copy have the same paths`() throws {
    let comic = try #require(Comic.Number(353))
    let files = StaticFiles(assetVersion: "1", policy: .empty, formats: [comic: .jpeg])
    let pattern = try web.part(after: "export function useServersAddress(url) {", upTo: ".exec(url.pathname)")
      .found(#"/(\^.*\$)/"#).first?[1].replacingOccurrences(of: #"\/"#, with: "/")
    let regex = try #require(pattern)
    for (path, parts) in [
      (files.picture(of: comic, version: "00ab", doubleSize: false), ["pictures", "353", "00ab", "", "jpg"]),
      (
        files.picture(of: comic, version: "00ab", doubleSize: true),
        ["pictures", "353", "00ab", "@2x", "jpg"]
      ),
      (files.thumbnail(of: comic, version: "00ab"), ["thumbnails", "353", "00ab", "", "webp"]),
    ] {
      #expect(try path.description.found(regex).first.map { Array($0.dropFirst()) } == parts)
    }
  }

  /// What scripts request from a server besides pages and forms.
  private static let endpoints: Set<String> = [
    "/albums/", "/api/push/key", "/api/push/subscriptions", "/archive", "/assets/", "/comics/",
    "/device.json",
    "/explanations", "/explanations/", "/explanations/index", "/healthz", "/manifest.webmanifest",
    "/pictures/",
    "/start", "/sw.js", "/sync", "/thumbnails/",
    // The ends of some.
    "/content.json", "/image", "/larger",
  ]

  @Test func `scripts name no address that isn't there`() throws {
    let code = web.text.split(separator: "\n").filter {
      !$0.trimmingPrefix { $0 == " " }.starts(with: #/\/\/|\/?\*/#)
    }
    var named: Set<String> = []
    for line in code where line.contains("/") {
      for found in try String(line).found(
        #"(?:\$\{base\}|path: "|path: `|\(["`]|[=:?,] ["`])(/[a-z][a-z/.-]*)"#
      ) {
        named.insert(found[1])
      }
    }
    #expect(
      named.isSuperset(of: ["/favorites/set", "/read/viewed", "/settings/set", "/sign-in", "/device.json"])
    )
    for path in named where !Self.endpoints.contains(path) && !path.hasPrefix("/assets/") {
      let page = Route(Request(path: Text(string: path)))
      let form = Route(Request(method: .post, path: Text(string: path)))
      #expect(page != .unknown || form != .unknownForm, "\(path)")
    }
  }

  // What pages show

  @Test func `settings have the same effect at once as on the next page`() throws {
    let looks = try web.part(after: "const looks = {", upTo: "\n}\n")
      .found(#"(\w+): \{ attribute: "(\w+)", initial: "(\w+)" \}"#)
    #expect(Set(try web.words(of: "lookNames")) == Set(looks.map { $0[2] }))
    let device = try DeviceBench.opened()
    let settings = try device.answer(to: Ask("/settings")).page
    for look in looks {
      let (field, initial) = (look[1], look[3])
      let attribute = look[2].replacing(#/[A-Z]/#) { "-\($0.output.lowercased())" }
      let values = try settings.found(#"<input[^>]*name="\#(field)"[^>]*>"#).flatMap {
        try $0[0].found(#" value="([\w-]+)""#)
      }
      let other = values.map { $0[1] }.first { $0 != initial } ?? "off"
      for value in [other, initial] {
        #expect(try device.answer(to: Ask("/settings/set", form: "\(field)=\(value)&quiet=1")).status == 303)
        let root = try #require(
          try device.answer(to: Ask("/about")).page.split(separator: ">").dropFirst().first
        )
        #expect(
          root.contains(" data-\(attribute)=\"\(value)\"") == (value != initial),
          "\(field)=\(value): \(root)"
        )
        if value == initial { #expect(!root.contains(" data-\(attribute)"), "\(field)=\(value): \(root)") }
      }
    }
  }

  @Test func `drawings, and the number without a comic, are the same`() throws {
    for drawing in [MissingDrawing.cover, MissingDrawing.page] {
      #expect(web.text.contains("\(drawing)"), "\(drawing)")
    }
    let offline = String(decoding: Icon.offline.html.bytes, as: UTF8.self)
    #expect(web.text.contains(offline), "\(offline)")
    #expect(try web.number(of: "missingNumber").map { "/\($0)/" } == Link.missingNumber.address.description)
    #expect(
      String(describing: EarlyKeys.script).contains("self.earlyKeys")
        && web.text.contains("earlyKeys?: KeyboardEvent[]")
    )
  }
}
