// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxPages

extension Request {
  /// A request for an address as a browser sends it.
  init(address: Text, method: Method = .get) {
    let parts = address.bytes.split(
      separator: UInt8(ascii: "?"),
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    self.init(method: method, path: Text(parts[0]), query: parts.count > 1 ? Text(parts[1]) : .empty)
  }
}

@Suite struct RouteTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a link's address parses to the route of its page`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let link = try Self.link(using: &random)
      let route = Route(Request(address: link.address))
      #expect(route.link == link, "seed \(seed): \(link.address) is read as \(route)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `every request has a route, and the route's address parses to the same route`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var withLink = 0
    for _ in 0..<500 {
      let address = Self.address(using: &random)
      for method in [Request.Method.get, .post] {
        let route = Route(Request(address: address, method: method))
        guard let link = route.link else { continue }
        withLink += 1
        let again = Route(Request(address: link.address))
        #expect(again == route, "seed \(seed): \(address) is read as \(route), \(link.address) as \(again)")
      }
    }
    #expect(withLink > 50, "seed \(seed): most addresses mean nothing")
  }

  @Test(
    arguments: [
      ("/1/", Route.comic(.first)), ("/1", .number("1")), ("//1//", .number("1")), ("/01/", .number("01")),
      ("/404", .number("404")), ("/404/", .missingNumber), ("/-1/", .number("-1")), ("/%31/", .unknown),
      ("/1e2/", .unknown), ("/go?number=+7+", .goTo("7")), ("/01/explanation", .unknown),
      ("/404/explanation", .unknown), ("/search?q=+a+&typing=1", .search(.init(text: "a", isTyping: true))),
      ("/search?q=a&form=1", .search(.init(text: "a", isDeep: false))),
      ("/search?q=a&deep=1&form=1", .search(.init(text: "a", isDeep: true))),
      ("/favorites/set", .formAddress(.favorite)), ("/favorites/clear", .confirmation(.clearFavorites)),
      ("/read/clear", .confirmation(.clearReadMarks)),
      ("/history", .history), ("/history/clear", .formAddress(.clearHistory)), ("/history/1", .unknown),
      ("/albums/saved", .savedAlbums), ("/albums/settings", .server(.albumSettings)),
      ("/sign-in", .server(.signIn)), ("/settings/devices", .server(.devices)), ("/albums/0", .unknown),
      ("/settings/phone", .server(.phone)), ("/settings/server", .server(.serverStatus)),
      ("/settings/move?x=1", .server(.move)), ("/share?text=a", .share("text=a")),
      ("/archive/", .archive), ("/archive", .archive),
      ("/topics", .topics), ("/topics/", .topics),
      ("/topics/black-hat", .topic("black-hat", isUnreadOnly: false)),
      ("/topics/Black%20Hat/?unread=1", .topic("black-hat", isUnreadOnly: true)),
      ("/topics/9%2F11", .topic("9-11", isUnreadOnly: false)), ("/topics/a/b", .unknown),
      ("/topics/%3F", .unknown),
      ("/settings/export", .exportLibrary), ("/settings/import", .importLibrary),
    ] as [(Text, Route)]
  )
  func `an address is parsed`(address: Text, route: Route) {
    #expect(Route(Request(address: address)) == route)
  }

  @Test func `a form is accepted only at the addresses for forms`() {
    func route(_ address: Text) -> Route { Route(Request(address: address, method: .post)) }
    for address in EditAddress.allCases { #expect(route(address.path) == .form(address)) }
    for address in Route.ServerAddress.allCases { #expect(route(address.link.address) == .server(address)) }
    for path in ["/", "/353/", "/favorites", "/settings", "/albums", "/albums/70", "/nowhere"] as [Text] {
      #expect(route(path) == .unknownForm)
    }
    #expect(route("/settings/import") == .importLibrary)
    #expect(route("/settings/export") == .unknownForm)
    #expect(route("/albums/70/quiz") == StoreID(70).map { .quiz($0, nil) })
  }

  private static func text(using random: inout SeededGenerator, from least: Int = 0) -> Text {
    let signs = Array("aZ09 +%&=?#/<>\"'\\-._~éπ😀\u{0}\u{7F}".utf8)
    let bytes = (0..<Int.random(in: least...30, using: &random)).map { _ in
      Bool.random(using: &random)
        ? signs[Int.random(in: signs.indices, using: &random)] : UInt8.random(in: 0...255, using: &random)
    }
    return Text(bytes)
  }

  /// A random link to a page.
  private static func link(using random: inout SeededGenerator) throws -> Link {
    let number = [1, 353, 403, 405, 3282, 999_999].randomElement(using: &random) ?? 1
    let comic = try #require(Comic.Number(number))
    let value = UInt64.random(in: 1..<1 << 53, using: &random)
    let id = try #require(StoreID(value))
    let country = ["", "us", "gb", "zz"].randomElement(using: &random).flatMap {
      StoreCountry(Text(string: $0))
    }
    switch Int.random(in: 0..<25, using: &random) {
    case 0: return .latest
    case 1: return .comic(comic)
    case 2: return .explanation(comic)
    case 3: return .missingNumber
    case 4: return [.random, .randomUnread, .oldestUnread].randomElement(using: &random) ?? .random
    case 5: return .onThisDay
    case 6, 7, 8: return .overview(try overview(using: &random))
    case 9: return [.resume, .history].randomElement(using: &random) ?? .resume
    case 10:
      return .favoriteList(
        .init(
          order: FavoriteOrder.allCases.randomElement(using: &random),
          text: Text(text(using: &random).bytes.trimmed()).valid,
          selection: [.off, .on, .all].randomElement(using: &random) ?? .off
        )
      )
    case 11, 12, 13:
      // A search has no space at its start or end.
      let text = Text(text(using: &random).bytes.trimmed()).valid
      guard !text.isEmpty else { return .search(.init()) }
      let offset = Bool.random(using: &random) ? 0 : Int.random(in: 1...10_000, using: &random)
      return .search(.init(text: text, isDeep: Bool.random(using: &random), offset: offset))
    case 14: return .artists(text(using: &random).valid, country)
    case 15: return .discography(id, country, AlbumSelection.allCases.randomElement(using: &random) ?? .all)
    case 16: return .savedAlbums
    case 17: return .album(id, country)
    case 18: return .quiz(id, country)
    case 19: return .local(EditAddress.clearFavorites.path)
    case 20: return Bool.random(using: &random) ? .settings : .about
    case 21:
      return try ReadingList(overview(using: &random)).map { .listed(comic, $0) } ?? .comic(comic)
    case 22:
      let search = Link.Search(
        text: Text(text(using: &random).bytes.trimmed()).valid,
        isDeep: Bool.random(using: &random)
      )
      return ReadingList(search).map { .randomListed($0) } ?? .random
    case 23:
      let key = ["math", "9-11", "d-b-cooper"].randomElement(using: &random) ?? "math"
      return Bool.random(using: &random)
        ? .topics : .topic(Text(string: key), isUnreadOnly: Bool.random(using: &random))
    default: return (Route.ServerAddress.allCases.randomElement(using: &random) ?? .move).link
    }
  }

  private static func overview(using random: inout SeededGenerator) throws -> Link.Overview {
    let (month, day) = (Int.random(in: 1...12, using: &random), Int.random(in: 1...29, using: &random))
    let date = try #require(CalendarDate(year: 2000, month: month, day: day))
    return Link.Overview(
      view: [.grid, .list, .map].randomElement(using: &random) ?? .grid,
      year: Bool.random(using: &random) ? nil : [0, 2006, 999_999_999].randomElement(using: &random),
      filter: Link.Overview.Filter.allCases.randomElement(using: &random) ?? .all,
      day: Bool.random(using: &random) ? nil : DayOfYear(date)
    )
  }

  /// A random address, valid or odd.
  private static func address(using random: inout SeededGenerator) -> Text {
    let parts: [Text] = [
      "", "/", "353", "0353", "404", "-1", "99999999999999999999", "random", "on-this-day", "go", "comics",
      "continue", "unread",
      "favorites", "clear", "set", "search", "settings", "look", "export", "move", "about", "share", "albums",
      "artists", "topics", "Black+Hat",
      "saved", "70", "quiz", "explanation", "feeds", "join", "%", "%4", "%33", "é", "..",
    ]
    let fields: [Text] = [
      "q=a", "q=+a+b+", "q=%", "q=%C3%A9&", "deep=1", "deep=0", "deep=", "form=1", "typing=1", "offset=25",
      "offset=999999999", "offset=-1", "unread=1", "favorites=1", "sort=title", "sort=x", "select=all",
      "select=", "date=2024-02-29", "date=x",
      "year=2006", "year=", "year=x", "view=map", "view=grid",
      "view=x",
      "on=02-29", "on=2-9", "in=favorites", "in=unread-2007", "in=02-29", "in=search-+a", "in=deep-", "in=x",
      "in=favorites-", "country=GB", "country=x", "show=eps", "show=x", "artist=a+b", "artist=",
      "number=+7",
      "q", "=", "&&", "unknown=1", "text=xkcd.com/7",
    ]
    var address: Text = "/"
    for place in 0..<Int.random(in: 0...4, using: &random) {
      if place > 0 { address = address + "/" }
      let isKnown = Int.random(in: 0..<12, using: &random) > 0
      address = address + (isKnown ? parts.randomElement(using: &random) ?? .empty : text(using: &random))
    }
    if Bool.random(using: &random) { address = address + "/" }
    if Int.random(in: 0..<40, using: &random) == 0 {
      address = address + Text([UInt8](repeating: UInt8(ascii: "9"), count: 100_000))
    }
    guard Bool.random(using: &random) else { return address }
    address = address + "?"
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let isKnown = Int.random(in: 0..<8, using: &random) > 0
      address =
        address + (isKnown ? fields.randomElement(using: &random) ?? .empty : text(using: &random)) + "&"
    }
    return address
  }
}
