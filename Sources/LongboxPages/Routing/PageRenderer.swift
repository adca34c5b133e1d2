// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Renders the pages that only read the library.
struct PageRenderer {
  let request: Request
  let archive: Archive
  let loaded: Loaded
  let context: PageContext
  let reader: Reader

  func response(to route: Route) -> Response {
    switch route {
    case .latest: latest
    case .comic(let number): comic(number)
    case .listed(let number, let list): comic(number, in: list)
    case .number(let name): numbered(name)
    case .missingNumber: missingNumber
    case .explanation(let number): explanation(of: number)
    case .random(let unreadOnly): random(unreadOnly: unreadOnly)
    case .randomListed(let list): random(in: list)
    case .oldestUnread: oldestUnread
    case .onThisDay(let day):
      redirect(to: .overview(.init(day: day ?? CalendarDate(time: request.now).map { DayOfYear($0) })))
    case .goTo(let typed): goTo(typed)
    case .overview(let overview): self.overview(overview)
    case .topics: page(TopicsPage(archive: archive))
    case .topic(let key, let isUnreadOnly): topic(key, isUnreadOnly: isUnreadOnly)
    case .history: page(HistoryPage(archive: archive, reader: reader, context: context))
    case .archive: redirect(to: .overview(.init()))
    case .resume: redirect(to: reader.library.place.map { .comic($0.comic) } ?? .latest)
    case .start: redirect(to: start)
    case .favoriteList(let view):
      page(FavoritesPage(view, archive: archive, reader: reader, site: context.site))
    case .confirmation(let address):
      page(ConfirmationPage(address, library: reader.library, site: context.site))
    case .search(let fields): search(fields)
    case .settings:
      page(SettingsPage(reader: reader, context: context))
    case .about: page(AboutPage(archive: archive, context: context))
    case .importLibrary: page(ImportPage())
    case .share(let query):
      redirect(to: SharedText(FormFields(query)).link(in: archive))
    case .artists(let name, let country): artists(name, country)
    case .discography(let artist, let country, let selection):
      album(nil, loaded[.discography(artist, country, selection)], country)
    case .album(let album, let country): self.album(album, loaded[.album(album, country)], country)
    case .savedAlbums: page(SavedAlbumsPage(albums: reader.library.savedAlbums).page)
    case .formAddress(let address): redirect(to: address.home)
    case .server: Response(elsewhere: 503, page: frame.html(MessagePage.needsServer))
    case .quiz, .exportLibrary, .form, .unknownForm, .unknown: notFound
    }
  }

  // Comics

  private var latest: Response {
    guard let comic = archive.latest else { return elsewhere(MessagePage.nothingYet, status: 503) }
    return page(of: comic, continuation: continuation(on: .latest))
  }

  /// The comic that the reader has chosen to begin with; by default the one viewed last if that is not long ago, else the newest.
  private var start: Link {
    let opening = reader.library.value(of: .openingComic)
    if opening == .random { return .random }
    guard let place = reader.library.place, opening == .lastViewed || place.isRecent(at: request.now) else {
      return .latest
    }
    return .comic(place.comic)
  }

  /// The comic that the page of the newest comic offers to continue with, if the reader was away for a while.
  func continuation(on route: Route) -> Comic.Number? {
    guard
      route == .latest, let place = reader.library.place, let latest = archive.latest?.number,
      place.isOffered(at: request.now, latest: latest)
    else { return nil }
    return place.comic
  }

  private func comic(_ number: Comic.Number, in list: ReadingList? = nil) -> Response {
    if let comic = archive.comic(number) { return page(of: comic, in: list) }
    switch Choice(Text(decimal: number.value), latest: archive.latest?.number) {
    case .rejected(let problem): return rejected(problem, typed: Text(decimal: number.value))
    case .nothingKnown: return latest
    case .missing: return missingNumber
    case .number:
      return elsewhere(
        MessagePage.notStored(number, latest: archive.latest?.number, context: context),
        status: 503
      )
    }
  }

  private func page(
    of comic: ArchivedComic,
    in list: ReadingList? = nil,
    continuation: Comic.Number? = nil
  ) -> Response {
    let place = list.flatMap { list in
      members(of: list, current: comic.number).flatMap { ListPlace(of: comic.number, in: list, $0, archive) }
    }
    var page = ComicPage(
      comic,
      in: archive,
      at: place,
      lead: loaded.lead(of: comic.number),
      reader: reader,
      context: context
    )
    page.continuation = continuation
    // A file isn't made again when only other comics have changed.
    if !context.isFile {
      page.alike = archive.comics(like: comic.number, limit: 6).map {
        .init(number: $0.number, name: $0.title)
      }
    }
    return Response(
      page: frame.html(page),
      viewed: comic.number,
      // The server has the whole list, and so the comic's place in it.
      serverMayKnowMore: canAskServer
        && list?.isPartial(archive: archive, library: reader.library, loaded: loaded) == true
    )
  }

  private func members(of list: ReadingList, current: Comic.Number? = nil) -> [Comic.Number]? {
    list.members(archive: archive, library: reader.library, loaded: loaded, current: current)
  }

  /// Redirects other spellings of a number to the comic's address.
  private func numbered(_ name: Text) -> Response {
    switch Choice(name, latest: archive.latest?.number) {
    case .number(let number): Response(redirect: 301, to: .comic(number))
    case .missing: Response(redirect: 301, to: .missingNumber)
    case .rejected(let problem): rejected(problem, typed: name)
    case .nothingKnown: latest
    }
  }

  private var missingNumber: Response {
    guard let newest = archive.latest?.number else { return latest }
    return page(MissingNumberPage(latest: newest, isFile: context.isFile), status: 404)
  }

  private func goTo(_ typed: Text) -> Response {
    switch Choice(typed, latest: archive.latest?.number) {
    case .number(let number): redirect(to: .comic(number))
    case .missing: redirect(to: .missingNumber)
    case .rejected(let problem): rejected(problem, typed: typed)
    case .nothingKnown: latest
    }
  }

  /// Says why a number isn't a comic; if it is too high, another host may know a newer comic.
  private func rejected(_ problem: Choice.Problem, typed: Text) -> Response {
    let html = frame.html(MessagePage(problem, typed: typed))
    if case .aboveLatest = problem { return Response(elsewhere: problem.status, page: html) }
    return Response(status: problem.status, page: html)
  }

  private func random(unreadOnly: Bool) -> Response {
    guard let latest = archive.latest?.number else { return self.latest }
    let isUnreadOnly = unreadOnly && reader.isRemembered
    let stored = loaded.storedComics
    if isUnreadOnly || stored != nil { return random(isUnreadOnly: isUnreadOnly, among: stored) }
    let ordinal = Int(truncatingIfNeeded: request.random % UInt64(latest.ordinal)) + 1
    return redirect(to: .comic(Comic.Number(ordinal: ordinal) ?? latest))
  }

  /// A random comic, of those that the device has if it is offline.
  private func random(isUnreadOnly: Bool, among stored: ComicSet?) -> Response {
    let marks = isUnreadOnly ? reader.library.readMarks : nil
    var choices: [Comic.Number] = []
    archive.visit { comic in
      if stored?.contains(comic.number) ?? true, marks?.isRead(comic.number) != true {
        choices.append(comic.number)
      }
      return true
    }
    guard !choices.isEmpty else {
      return redirect(
        to: .overview(.init(filter: isUnreadOnly ? .unread : stored == nil ? .all : .downloaded))
      )
    }
    return redirect(to: .comic(choices[Int(truncatingIfNeeded: request.random % UInt64(choices.count))]))
  }

  /// A random comic of a list, of those that the device has if it is offline; the list's page if there is none.
  private func random(in list: ReadingList) -> Response {
    guard archive.latest != nil else { return latest }
    let stored = context.isOffline ? loaded.storedComics : nil
    let choices = (members(of: list) ?? []).filter { stored?.contains($0) ?? true }
    guard !choices.isEmpty else { return redirect(to: list.page) }
    let choice = choices[Int(truncatingIfNeeded: request.random % UInt64(choices.count))]
    return redirect(to: .listed(choice, list))
  }

  private var oldestUnread: Response {
    let marks = reader.library.readMarks
    let stored = loaded.storedComics
    var oldest: Comic.Number?
    archive.visit { comic in
      if stored?.contains(comic.number) ?? true, !marks.isRead(comic.number) {
        oldest = min(oldest ?? comic.number, comic.number)
      }
      return true
    }
    return redirect(to: oldest.map { .comic($0) } ?? .overview(.init(filter: .unread)))
  }

  private func overview(_ overview: Link.Overview) -> Response {
    let overviewPage = OverviewPage(
      overview,
      archive: archive,
      context: context,
      reader: reader,
      now: request.now,
      stored: loaded.storedComics
    )
    guard
      overview.year == nil || overview.filter != .all || overview.day != nil || !overviewPage.years.isEmpty
    else {
      return notFound
    }
    return page(overviewPage)
  }

  private func topic(_ key: Text, isUnreadOnly: Bool) -> Response {
    guard let topic = archive.topic(key) else {
      return Response(elsewhere: 404, page: frame.html(TopicsPage(archive: archive, missing: key)))
    }
    return page(
      TopicPage(topic, isUnreadOnly: isUnreadOnly, archive: archive, reader: reader, context: context)
    )
  }

  private func explanation(of number: Comic.Number) -> Response {
    // Without the comic, the comic's page says what is missing.
    guard let comic = archive.comic(number) else { return self.comic(number) }
    let text: HTML
    let status: Int
    switch loaded[.explanation(number)] {
    case .explanation(let html)?: (text, status) = (html, 200)
    case .absent?:
      text = ExplanationParts.absent(number, isSample: archive.isSampleBox)
      // In a static copy this page is a file, which the web host sends with status 200.
      status = context.site.isStaticCopy ? 200 : 404
    // The comic's page says that the explanation is unavailable, and shows the comic.
    case _ where context.isOffline: return redirect(to: .local(Link.comic(number).address + "#explanation"))
    case _ where context.site.isStaticCopy:
      (text, status) = (ExplanationParts.notInCopy(number, isSample: archive.isSampleBox), 200)
    default: (text, status) = (ExplanationParts.unavailable(number, isSample: archive.isSampleBox), 503)
    }
    return page(ExplanationPage(comic: number, name: comic.title, text: text), status: status)
  }

  /// Whether this host is a device with a server that may know more.
  private var canAskServer: Bool {
    context.isDevice && !context.isOffline && !context.site.isStaticCopy
  }

  private func search(_ fields: Link.Search) -> Response {
    let search = ComicSearch(fields, archive: archive, library: reader.library)
    if let comic = search.comic { return redirect(to: .comic(comic)) }
    var results: SearchResults?
    if let question = search.question, case .results(let found)? = loaded[.search(question)] {
      results = found
    }
    let isLacking = context.isDevice && search.question != nil && results?.hasExplanations == false
    let found = SearchPage(
      search: search.link,
      results: results,
      albums: search.albums,
      archive: archive,
      hasFavorites: !reader.library.favorites.isEmpty,
      unknownFilters: SearchFilters.unknown(in: fields.text, isTyping: fields.isTyping),
      // While it is typed, a name is incomplete.
      unknownTopics: fields.isTyping ? [] : archive.unknownTopics(in: fields.text),
      hasFeed: context.hasFeeds,
      explanations: !isLacking ? .searched : canAskServer ? .onServer : .missing,
      site: context.site
    )
    return Response(
      status: search.question != nil && results == nil ? 503 : 200,
      page: frame.html(found),
      // A first page shows at once what the device has, and then adds what the server has.
      serverMayKnowMore: isLacking && canAskServer && (fields.asksServer || fields.offset > 0)
    )
  }

  // Albums

  /// The artist search, with the saved albums until something is searched; offline, only the saved albums.
  private func artists(_ name: Text, _ country: StoreCountry?) -> Response {
    let value = loaded[
      .artists(name, country ?? reader.library.albumCountry, recent: reader.library.recentArtists)
    ]
    if context.isOffline, value == .unavailable {
      return Response(SavedAlbumsPage(albums: reader.library.savedAlbums, isOffline: true).page, in: frame)
    }
    guard case .album(var page)? = value else {
      return .notOnDevice(in: frame, saying: "Searching for artists needs a connection.")
    }
    if name.isEmpty { page.body = page.body + albumsToBeginWith }
    return Response(page, in: frame)
  }

  /// The saved albums, or how to begin if the reader has neither saved albums nor recent artists.
  private var albumsToBeginWith: HTML {
    let library = reader.library
    let isNew = library.savedAlbums.isEmpty && library.recentArtists.isEmpty && !archive.isSampleBox
    return isNew ? SavedAlbumList.beginning : SavedAlbumList.section(of: library)
  }

  private func album(_ album: StoreID?, _ value: Loaded.Value?, _ country: StoreCountry?) -> Response {
    guard case .album(var page)? = value else { return .notOnDevice(in: frame, back: .albums) }
    page.back = album == nil ? .albums : page.tracks?.backToArtist(in: country) ?? .albums
    page.album = album
    page.isSaved = album.map { reader.library.hasSaved($0) } ?? false
    page.pick = album.flatMap { reader.library.articlePick(for: $0) }
    return Response(page, in: frame)
  }

  // Shared

  private var notFound: Response {
    Response(elsewhere: 404, page: frame.html(MessagePage.noSuchPage(latest: archive.latest?.number)))
  }

  private func redirect(to link: Link) -> Response { Response(redirect: 303, to: link) }

  /// A page for an address that the server may know more about.
  private func elsewhere(_ page: MessagePage, status: Int) -> Response {
    Response(elsewhere: status, page: frame.html(page))
  }

  private func page(_ page: some Page, status: Int = 200) -> Response {
    Response(status: status, page: frame.html(page))
  }

  private var frame: Frame {
    Frame(archive: archive, context: context, reader: reader, address: request.address)
  }
}
