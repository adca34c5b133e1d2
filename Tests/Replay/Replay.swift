// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

@main
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "longbox-replay",
    abstract: "Plays recorded sources back over HTTP, with faults on request. For development and tests.",
    discussion: """
      PATH holds what was recorded: xkcd/comics.jsonl (one info.0.json object a line), xkcd/images/, and perhaps \
      explainxkcd/pages.jsonl, itunes/ and wikipedia/. When it listens, it prints its address in one line on stdout, and \
      nothing more; messages go to stderr.

        longbox-replay --data ../shared/data --port 8354
        curl http://127.0.0.1:8354/353/info.0.json        as xkcd.com answers
        curl http://127.0.0.1:8354/_replay/state          who asked for what, and how often
        curl -d '{"kind": "status", "status": 503, "path": "/comics/*"}' http://127.0.0.1:8354/_replay/faults

      docs/replay.md describes all addresses and faults.

      Exit codes: 0 after SIGTERM or SIGINT, 64 for a wrong option, 66 for a folder that can't be played back, \
      69 if the address is taken or not ours.
      """
  )

  @Option(help: ArgumentHelp("The folder with the recordings.", valueName: "path"))
  var data: String

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes any that is free.")
  var port = 0

  @Option(
    help: ArgumentHelp("The newest comic published at first. (default: the newest recorded)", valueName: "n")
  )
  var latest: Int?

  @Option(help: "What to serve for a picture that isn't recorded: 'placeholder' or '404'.")
  var missingPictures = XkcdPicturesSource.Missing.placeholder

  @Option(
    help: "What to serve as double-size pictures, from 1084 on: 'generated' (stand-ins) or 'none' (404)."
  )
  var doubleSize = XkcdPicturesSource.DoubleSize.none

  @Flag(help: "Say on stderr what the server does.")
  var verbose = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535.") }
  }

  func run() async throws {
    var logger = Logger(label: "longbox-replay") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? .info : .error
    let replayed = try openRecording()
    let listener = Listener(
      replayed,
      host: host,
      port: port,
      logger: logger,
      clock: ContinuousClock(),
      announce: announce
    )
    let group = ServiceGroup(
      configuration: .init(
        services: [listener],
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger
      )
    )
    do {
      try await group.run()
    } catch {
      Self.printError("\(host):\(port) can't be listened on: \(error)")
      throw ExitCode(EX_UNAVAILABLE)
    }
  }

  private func openRecording() throws -> Replayed {
    let pictures = Replayed.Pictures(missing: missingPictures, doubleSize: doubleSize)
    do {
      return try Replayed(
        folder: URL(filePath: data),
        latest: latest,
        pictures: pictures,
        now: { Date() },
        clock: ContinuousClock()
      )
    } catch {
      Self.printError(error.description)
      throw ExitCode(EX_NOINPUT)
    }
  }

  /// Writes directly, because stdio would buffer the line in a pipe.
  @Sendable private func announce(port: Int, isFirst: Bool) {
    guard isFirst else { return }
    let name = host.contains(":") ? "[\(host)]" : host
    FileHandle.standardOutput.write(Data("http://\(name):\(port)\n".utf8))
  }

  private static func printError(_ message: String) {
    FileHandle.standardError.write(Data("longbox-replay: \(message)\n".utf8))
  }
}

extension XkcdPicturesSource.Missing: ExpressibleByArgument {}
extension XkcdPicturesSource.DoubleSize: ExpressibleByArgument {}
