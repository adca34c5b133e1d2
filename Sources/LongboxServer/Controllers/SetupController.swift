// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxReaders

/// Opens Longbox to the household's devices at `/settings/phone`, and shows how to connect a phone.
///
/// Only a person at this machine may do that; see ``RequestKind/isLocal(_:from:)``.
struct SetupController: Controller {
  let reach: Reach
  let site: SiteAddress
  let pages: any ServerPageRendering
  /// The operator's names of this machine.
  let names: [String]
  let access: AccessControl
  /// Stores the settings; nil if the program can't.
  let setup: NetworkSetup?
  /// Makes the server listen by other settings; nil if nothing does.
  let change: ReplaceableListener.Replace?

  var endpoints: [Endpoint] {
    [
      .get("settings/phone") { try await page($0, $1) },
      .post("settings/phone", bodyLimit: 4096) { try await open($0, $1) },
    ]
  }

  private func page(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    try check(request, context)
    if !isOnLoopbackAlone { return try await show(.ready(ready(request)), to: request) }
    guard setup != nil else { throw Self.notFound }
    try await access.load()
    return try await show(.form(form()), to: request)
  }

  /// Sets the passphrase, stores the settings, and listens on the network.
  private func open(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    try check(request, context)
    let fields = try await FormFields(of: request, context)
    guard isOnLoopbackAlone else { return .seeOther(.phone) }
    guard let setup, let change else { throw Self.notFound }
    try await access.load()
    var form = form()
    form.names = fields["names"] ?? .empty
    // From now on being on this machine grants nothing, so the browser that sets the passphrase gets a session. With one that
    // was set before, it signs in.
    var session: AccessToken?
    var response: Hummingbird.Response
    do {
      let names = try Self.names(in: form.names.description)
      if !access.hasPassphrase {
        try await access.setPassphrase(try Self.passphrase(in: fields))
        session = try await access.openSession(of: BrowserName(request.headers[.userAgent]).text)
      }
      form.hasPassphrase = true
      try await change(try await setup.store(names))
      response = .seeOther(.phone)
    } catch {
      // The new passphrase counts also if the rest failed.
      if session != nil { try? await change(nil) }
      form.problem = Text(string: "\(error)")
      response = try await show(.form(form), to: request)
    }
    if let session { response.setSession(session.text, to: request) }
    return response
  }

  private var isOnLoopbackAlone: Bool { reach.gate.mode == .loopback || reach.isOnLoopbackAlone }

  /// - Throws: 404 unless a person at this machine asks.
  private func check(_ request: Hummingbird.Request, _ context: ServerContext) throws {
    guard RequestKind.isLocal(request.head, from: context.client) else { throw Self.notFound }
  }

  private static var notFound: HTTPError {
    HTTPError(.notFound, message: "This page opens only on the machine with Longbox.")
  }

  private static func names(in text: String) throws -> [String] {
    try text.lowercased().split { $0 == "," || $0.isWhitespace }
      .map { name in
        guard HostField.isCertifiable(name) else {
          throw SetupProblem(
            description: "“\(name)” can’t be the name of a machine. Write it like books.lan."
          )
        }
        return String(name)
      }
  }

  private static func passphrase(in fields: FormFields) throws -> String {
    func field(_ name: Text) -> String {
      (fields[name]?.description ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let passphrase = field("passphrase")
    try PassphraseError.check(passphrase)
    guard field("again") == passphrase else {
      throw SetupProblem(description: "The two passphrases differ. Type them again.")
    }
    return passphrase
  }

  private func form() -> PhoneOffer.Form {
    PhoneOffer.Form(
      hasPassphrase: access.hasPassphrase,
      names: Text(string: names.joined(separator: ", "))
    )
  }

  private func ready(_ request: Hummingbird.Request) -> PhoneOffer.Ready {
    let port = HostField(request.head.authority)?.port ?? ""
    var ready = PhoneOffer.Ready()
    ready.isOpen = reach.gate.mode == .open
    ready.fingerprint = reach.certificates?.authority.map { Text(string: $0.fingerprint) }
    if let start = reach.startAddress(port: port, of: site) {
      ready.start = Text(string: start)
      ready.symbol = QRCode.symbol(of: start)
    }
    ready.addresses = reach.roots(port: port, of: site).map { Text(string: $0) }
    return ready
  }

  private func show(_ offer: PhoneOffer, to request: Hummingbird.Request) async throws
    -> Hummingbird.Response
  {
    try await pages.show(.phone(offer), to: request, as: LibraryCookie(of: request))
  }
}

/// Why the set-up was refused; the description is a sentence.
private struct SetupProblem: Error, CustomStringConvertible {
  let description: String
}
