// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore
import LongboxPages

struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open a comic in the browser.",
    discussion: """
      If the server on this machine asks to sign in, the link signs the browser in, once and within ten minutes. \
      At the server named by --server, else at the one that runs on this machine, else at xkcd.com. Where there is no browser \
      to start, and into a pipe, it prints the address.
      """
  )

  @Argument(help: ArgumentHelp("The number of the comic; the latest without one.", valueName: "comic"))
  var number: ComicNumber?

  @OptionGroup var reader: ReaderOptions

  private struct Report: Encodable {
    var address: String
  }

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      let page = number.map { "/\($0.number.value)/" } ?? "/"
      let server = context.server ?? ServerAddress(of: context.data)
      let address =
        await Self.signingIn(context, page) ?? server?.url(page) ?? number.map {
          Link.xkcd($0.number).address.description
        } ?? "https://xkcd.com/"
      if reader.json { return try context.console.writeJSON(Report(address: address)) }
      if context.console.isTerminal, Self.hasBrowser(context.console.environment) {
        Self.startBrowser(address)
      }
      context.console.write(address)
    }
  }

  /// A link that signs the browser in at the server on this machine, by a one-time code; nil if no sign-in is needed.
  private static func signingIn(_ context: ReaderContext, _ page: String) async -> String? {
    guard context.server == nil, let client = ServerClient(of: context.data),
      let response = try? await client.post("/sign-in/code", [], type: "text/plain"), response.status == 200
    else { return nil }
    return client.server.url("/sign-in?to=\(page)#code=\(String(decoding: response.body, as: UTF8.self))")
  }

  /// Whether there is a place for a browser; without one, xdg-open lists all those that it doesn't find.
  private static func hasBrowser(_ environment: [String: String]) -> Bool {
    #if os(macOS)
    true
    #else
    ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { !(environment[$0] ?? "").isEmpty }
    #endif
  }

  /// Becomes the program that opens addresses; returns if there is none.
  private static func startBrowser(_ address: String) {
    #if os(macOS)
    let program = "open"
    #else
    let program = "xdg-open"
    #endif
    var words = [strdup(program), strdup(address), nil]
    PrivateFiles.lifted { execvp(program, &words) }
    for word in words { free(word) }
  }
}
