// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore
public import LongboxUpstream

/// Renders pages about things that only the server knows, in the common page frame.
struct ServerPageRenderer: Sendable {
  let catalog: Catalog
  let libraries: Libraries
  let contexts: PageContexts
  let now: @Sendable () -> Date

  /// Renders a page with the settings of the library that a cookie names; the response sets the cookie again.
  /// - Throws: `StoreError`.
  func show(
    _ page: ServerPage,
    to request: Hummingbird.Request,
    as cookie: LibraryCookie?
  ) async throws -> Hummingbird.Response {
    var asked = LongboxPages.Request(request, at: now())
    asked.isRemembered = cookie != nil
    var library = Library()
    if let cookie { library = try await libraries.library(cookie.libraryName) }
    let snapshot = catalog.snapshot
    let reply = render(
      page,
      in: asked,
      archive: snapshot.archive,
      library: library,
      context: contexts.context(of: snapshot, for: request.head)
    )
    return reply.encodedBody("private, no-store").response(to: request)
      .setting(cookie, to: request)
  }

  /// Shows why a form's change was not stored, and notes it in the log.
  /// - Throws: the error if it is neither `StoreError` nor `TooManyNew`.
  func showNotStored(
    _ error: any Error,
    to request: Hummingbird.Request,
    from client: ClientAddress,
    noting incidents: IncidentLog
  ) async throws -> Hummingbird.Response {
    let problem: StorageProblem
    let retryAfter: Int
    switch error {
    case let error as StoreError:
      incidents.note(.notStored, error.description)
      problem = error.storageProblem
      retryAfter = error.retryAfter
    case let error as TooManyNew:
      incidents.note(.newLibraries, "\(client)")
      problem = .tooManyNew
      retryAfter = error.retryAfter
    default: throw error
    }
    var response = try await show(.notStored(problem), to: request, as: nil)
    // A full disk has no time at which trying again makes sense.
    if response.status.code != 507 { response.headers[.retryAfter] = "\(retryAfter)" }
    return response
  }
}

/// Makes the context that every page gets from the server.
struct PageContexts: Sendable {
  /// The version of the web application's files, used in their addresses.
  let assetVersion: String
  let version: String
  /// The path below which the site is.
  var basePath = BasePath()
  /// What links start with that readers share, if people elsewhere can reach the server.
  var shared: String?
  /// Whether devices sign in.
  var hasSignIn = false
  /// Whether everyone in the network may read and change without signing in.
  var isOpen = false

  /// Whether a proxy has passed a request on that may have removed a path without naming it.
  func mayLackPath(_ head: HTTPRequest) -> Bool {
    basePath.isEmpty && head.namedBasePath == nil
      && (RequestKind.isForwarded(head) || RequestKind.opensPage(head) && !RequestKind.isDirect(head))
  }

  /// The context of a page.
  /// - Parameters:
  ///   - snapshot: the catalog's state that the page shows.
  ///   - head: the request for the page.
  ///   - origin: scheme, host, port and base path of the server for shared pages; empty for personal ones.
  ///   - isLocal: whether the reader uses the server's loopback address.
  func context(
    of snapshot: Catalog.Snapshot,
    for head: HTTPRequest,
    origin: String = "",
    isLocal: Bool = false
  ) -> PageContext {
    var context = PageContext(
      source: snapshot.downSince.map { .down(since: Text(string: $0.spelledInUTC)) }
        ?? (snapshot.hasAnswered ? .reachable : .unknown),
      progress: snapshot.progress.map {
        .init(
          texts: $0.texts,
          pictures: $0.pictures,
          absentPictures: $0.absentPictures,
          explanations: $0.explanations,
          total: $0.total
        )
      },
      assetVersion: Text(string: assetVersion),
      version: Text(string: version)
    )
    context.hasFeeds = true
    context.hasSignIn = hasSignIn
    context.isOpen = isOpen
    context.basePath = head.basePath(or: basePath).inPages
    context.mayLackPath = mayLackPath(head)
    context.shared = Text(string: shared ?? "")
    context.isLocal = isLocal
    context.origin = Text(string: origin)
    return context
  }
}

extension Date {
  /// The date to the minute in UTC, such as "21 November 2026, 07:25 UTC".
  var spelledInUTC: String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: self)
    guard
      let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
      let minute = parts.minute, let date = CalendarDate(year: year, month: month, day: day)
    else { return "" }
    return "\(date.spelled), \(Text(hour, digits: 2)):\(Text(minute, digits: 2)) UTC"
  }

  /// The time in UTC, such as "07:25 UTC", with the date if another time isn't on the same day.
  func spelledInUTC(beside other: Date) -> String {
    let (own, others) = (spelledInUTC.split(separator: ", "), other.spelledInUTC.split(separator: ", "))
    guard own.count == 2, own.first == others.first else { return spelledInUTC }
    return String(own[1])
  }
}

extension SourcePause {
  /// A sentence about the iTunes Store with two times, the date if they aren't of one day.
  public var sentence: String {
    // The first minute in which the next call may go out for certain.
    let next = Date(timeIntervalSince1970: (nextTry.timeIntervalSince1970 / 60).rounded(.up) * 60)
    let times = (since: since.spelledInUTC(beside: next), next: next.spelledInUTC(beside: since))
    return "\(Source.itunes.nameAtStart) has refused since \(times.since); next try at \(times.next)."
  }
}
