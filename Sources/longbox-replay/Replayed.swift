// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import Logging

/// The recorded sources, the faults and the log of one run, and the router over them.
struct Replayed: Sendable {
  /// How to serve pictures that aren't recorded.
  struct Pictures: Sendable {
    var missing = XkcdPicturesSource.Missing.placeholder
    var doubleSize = XkcdPicturesSource.DoubleSize.none
  }

  let recording: XkcdRecording
  let sources: SourceTable
  let plan = FaultPlan()
  let log: RequestLog
  private let now: @Sendable () -> Date
  private let clock: any Clock<Duration>

  /// Reads the folder; see ``XkcdRecording`` for its contents.
  init(
    folder: URL,
    latest: Int? = nil,
    pictures: Pictures = Pictures(),
    now: @escaping @Sendable () -> Date,
    clock: any Clock<Duration>
  ) throws(RecordingError) {
    recording = try XkcdRecording(folder: folder.appending(path: "xkcd"), latest: latest)
    self.now = now
    self.clock = clock
    log = RequestLog(now: now)
    // xkcd comes last: it claims every address that the others don't.
    sources = SourceTable(sources: [
      XkcdPicturesSource(
        recording: recording,
        missing: pictures.missing,
        doubleSize: pictures.doubleSize
      ),
      ExplainSource(
        recording: ExplainRecording(folder: folder.appending(path: "explainxkcd")),
        comics: recording
      ),
      ITunesSource(recording: ITunesRecording(folder: folder.appending(path: "itunes"))),
      ArtworkSource(),
      WikipediaSource(recording: WikipediaRecording(folder: folder.appending(path: "wikipedia"))),
      XkcdSource(recording: recording),
    ])
  }

  /// The control address, and the sources behind the log and the faults.
  /// - Parameter refuse: closes the listening socket for a while; nil without a socket.
  func router(refuse: (@Sendable (Duration) async -> Void)? = nil) -> Router<ReplayRequestContext> {
    let router = Router(context: ReplayRequestContext.self, options: .autoGenerateHeadEndpoints)
    ReplayController(recording: recording, plan: plan, log: log, now: now, refuse: refuse).add(to: router)
    let replayed = router.group()
      .add(middleware: RequestLogger(log: log, sources: sources))
      .add(middleware: FaultInjector(plan: plan, sources: sources, log: log, clock: clock))
    replayed.get("/") { request, _ in sources.respond(to: request) }
    replayed.get("**") { request, _ in sources.respond(to: request) }
    return router
  }
}
