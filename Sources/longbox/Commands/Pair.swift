// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore
import LongboxReaders
import LongboxServer

struct Pair: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Share your library between this terminal and your other devices.",
    discussion: """
      On a phone or in a browser, “Connect another device” in the settings shows a link. Give the link, or the code at its end:

        longbox pair https://comics.example.org/join?code=K7bQ...
        longbox pair K7bQ... --server https://comics.example.org

      If no server runs on this machine, the link says which one to ask. Without a code it prints a link for another device, which works once, for ten minutes. Where the server asks for the \
      household's passphrase, this command asks you for it once.
      """
  )

  @Argument(help: "The link that the other device shows, or the code in it.")
  var code: String?

  @Option(
    help: ArgumentHelp("A file with the passphrase, instead of being asked.", valueName: "file"),
    completion: .file()
  )
  var passphraseFile: String?

  @OptionGroup var reader: ReaderOptions

  private struct Report: Encodable {
    /// The link for another device; nil if this terminal was paired by a code.
    var link: String?
    var paired: Bool
    var favorites: Int
  }

  func run() async throws {
    try await reportingErrors {
      var context = try await ReaderContext(reader)
      let linkServer = serverOfLink(context)
      if let linkServer { context = try await ReaderContext(server: linkServer, reader.dataOptions) }
      let client = try await signedIn(context)
      guard let code else {
        let link = try await Self.offer(context, client)
        if reader.json {
          let favorites = try context.library.kept().favorites.count
          return try context.console.writeJSON(Report(link: link, paired: false, favorites: favorites))
        }
        context.console.write("Open this on the other device within ten minutes:")
        try context.console.writeLines(link)
        return
      }
      try await Self.redeem(try Self.code(in: code), context, client)
      let favorites = try await context.library.current().favorites.count
      if reader.json {
        return try context.console.writeJSON(Report(link: nil, paired: true, favorites: favorites))
      }
      context.console.write("This terminal shares your library now. Favorites: \(favorites).")
      if let linkServer {
        context.console.write("Give later commands --server \(linkServer), or set LONGBOX_SERVER.")
      }
    }
  }

  /// The server of a link; nil if another one is named, or if one runs on this machine's data folder.
  private func serverOfLink(_ context: ReaderContext) -> String? {
    guard context.server == nil, ServerAddress(of: context.data) == nil else { return nil }
    return code.flatMap { link in link.range(of: "/join?code=").map { String(link[..<$0.lowerBound]) } }
  }

  /// The code in a link, or alone: 22 letters of base64url.
  static func code(in text: String) throws -> String {
    let code = text.range(of: "code=").map { text[$0.upperBound...] } ?? text[...]
    let isCode =
      code.utf8.count == 22
      && code.utf8.allSatisfy { "\(UnicodeScalar($0))".first.map(Self.isLetter) == true }
    guard isCode else {
      throw ReaderError.usage("That isn’t a code. Copy the whole link that the other device shows.")
    }
    return String(code)
  }

  private static func isLetter(_ letter: Character) -> Bool {
    letter.isASCII && (letter.isLetter || letter.isNumber || letter == "-" || letter == "_")
  }

  /// The client with a session, if the server asks for one.
  private func signedIn(_ context: ReaderContext) async throws -> ServerClient {
    var client = try context.client()
    do {
      _ = try await client.get("/api/search?q=1&limit=1")
      return client
    } catch ReaderError.signIn {
      let passphrase =
        try passphraseFile.map { try Access.passphrase(in: $0) }
        ?? Access.prompt("Passphrase of \(client.server): ")
      let secret = try await Self.signIn(passphrase, client)
      try context.readerFolder.keep(session: secret)
      client.keepSession(secret)
      return client
    }
  }

  /// Signs in, and returns the session's secret.
  private static func signIn(_ passphrase: String, _ client: ServerClient) async throws -> String {
    let wrong = ReaderError.usage("That is not the passphrase of \(client.server). Try again.")
    do {
      let answer = try await client.post(
        "/sign-in",
        Array("passphrase=\(encoded(passphrase))".utf8),
        type: "application/x-www-form-urlencoded"
      )
      guard answer.status != 429 else {
        throw ReaderError.unavailable(
          "\(client.server) got too many wrong passphrases. Try again in some minutes."
        )
      }
      guard let secret = answer.cookies[client.sessionName] else { throw wrong }
      return secret
    } catch ReaderError.signIn {
      throw wrong
    }
  }

  private static func offer(_ context: ReaderContext, _ client: ServerClient) async throws -> String {
    // Sync first, so that the other device gets this terminal's changes.
    try await context.library.edit { _ in }
    var client = client
    client.cookies[client.libraryName] = try context.readerFolder.key().text
    let answer = try await client.post("/settings/move", [], type: "application/x-www-form-urlencoded")
    let page = String(decoding: answer.body, as: UTF8.self)
    // The page contains the address by which other devices reach the server.
    guard answer.status == 200,
      let link = page.firstMatch(of: /https?:\/\/[^\s"<>]+\/join\?code=[A-Za-z0-9_-]{22}/)?.0
    else {
      throw ReaderError.unavailable(
        "\(client.server) gives no link for another device. Update Longbox there."
      )
    }
    if let host = URL(string: String(link))?.host(), ServerSettings(host: host).isLoopback {
      Console.remark(
        """
        Other devices can't reach \(host). Let them in first (“longbox setup”), and then open this link there with the \
        machine's own name or address in place of \(host).
        """
      )
    }
    return String(link)
  }

  private static func redeem(_ code: String, _ context: ReaderContext, _ client: ServerClient) async throws {
    // Sync first: the server merges only what it already has of this library.
    try await context.library.edit { _ in }
    var client = client
    client.cookies[client.libraryName] = try context.readerFolder.key().text
    let answer = try await client.post(
      "/join",
      Array("code=\(code)".utf8),
      type: "application/x-www-form-urlencoded"
    )
    guard let key = answer.cookies[client.libraryName].flatMap({ ReaderKey(text: $0) }), answer.status == 200,
      key.text != client.cookies[client.libraryName]
    else {
      throw ReaderError.usage("The code is not valid, or not any more. Let the other device show a new link.")
    }
    try context.readerFolder.keep(key)
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
