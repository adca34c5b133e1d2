// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxReaders
import NIOCore

/// Opens Longbox to the household's devices at `/settings/phone`, and shows how to connect a phone.
///
/// Only a person at this machine may do that; see ``RequestKind/isLocal(_:from:)`` and ``RequestKind/isDirect(_:)``.
struct SetupController: Controller {
  let network: NetworkAccess
  let site: SiteAddress
  let pages: ServerPageRenderer
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
    guard RequestKind.isDirect(request.head) else {
      throw HTTPError(
        .forbidden,
        message: "This has to come from a browser on the machine with Longbox, without a proxy in between. "
          + "In a terminal there, “longbox setup” does the same."
      )
    }
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

  private var isOnLoopbackAlone: Bool { network.gate.mode == .loopback || network.isOnLoopbackAlone }

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
    ready.isOpen = network.gate.mode == .open
    ready.fingerprint = network.certificates?.authority.map { Text(string: $0.fingerprint) }
    if let start = network.startAddress(port: port, of: site) {
      ready.start = Text(string: start)
      ready.symbol = QRCode.symbol(of: start)
    }
    ready.addresses = network.roots(port: port, of: site).map { Text(string: $0) }
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

/// Lets the owner open the server to their network from a page, while it runs.
///
/// The server sets the passphrase; the program writes the settings.
public struct NetworkSetup: Sendable {
  /// Stores the settings that let other devices in, and returns the new settings.
  let store: @Sendable (_ hostNames: [String]) async throws -> ServerSettings

  /// Creates it.
  /// - Parameter store: creates the household's authority, stores the settings that let other devices in, and returns
  ///   the new settings. It gets the operator's names in lower case. The descriptions of its errors are sentences for
  ///   the owner.
  public init(store: @escaping @Sendable (_ hostNames: [String]) async throws -> ServerSettings) {
    self.store = store
  }
}

/// Shows new devices how to trust this server at `/start`, and gives them the authority's certificate at `/ca.crt`.
struct StartController: Controller {
  static let path = "/start"

  let network: NetworkAccess
  let site: SiteAddress

  var endpoints: [Endpoint] {
    [
      .get("start") { request, _ in page(request) },
      .get("ca.crt") { _, _ in try certificate() },
    ]
  }

  private func page(_ request: Hummingbird.Request) -> Hummingbird.Response {
    var offer = StartOffer()
    offer.platform = BrowserName(request.headers[.userAgent]).platform
    offer.isSecure = request.isSecure
    offer.hasSignIn = network.access != nil
    offer.fingerprint = network.certificates?.authority.map { Text(string: $0.fingerprint) }
    let port = HostField(request.head.authority)?.port ?? ""
    let roots = network.roots(port: port, of: site)
    offer.secureAddress = secureRoot(for: request, among: roots).map { Text(string: $0 + Self.path) }
    offer.addresses = roots.map { Text(string: $0) }
    offer.symbol = network.startAddress(port: port, of: site).flatMap { QRCode.symbol(of: $0) }
    let document = offer.document(below: request.head.basePath(or: site.basePath).inPages)
    return Hummingbird.Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: Self.policy, .xContentTypeOptions: "nosniff",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: document))
    )
  }

  /// The address of the site with HTTPS; nil if it has none.
  ///
  /// With certificates of our own it is the address that was asked for, since the device has found that.
  private func secureRoot(for request: Hummingbird.Request, among roots: [String]) -> String? {
    if let address = site.publicAddress, address.scheme == "https" { return address.root }
    guard network.certificates != nil else { return nil }
    let asked = site.address(of: request.head).flatMap { $0.isLoopback ? nil : $0.authority }
    return asked.map { "https://\($0)\(request.head.basePath(or: site.basePath).text)" } ?? roots.first
  }

  private func certificate() throws -> Hummingbird.Response {
    guard let authority = network.certificates?.authority else {
      throw HTTPError(.notFound, message: "This server has no certificate authority of its own.")
    }
    var fields: HTTPFields = [.contentType: "application/x-x509-ca-cert", .cacheControl: "no-store"]
    fields[.contentDisposition] = "attachment; filename=\"longbox-ca.crt\""
    return Hummingbird.Response(
      status: .ok,
      headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: authority.bytes))
    )
  }

  private static let policy = StartOffer.policy(
    style: source(of: StartOffer.style),
    script: source(of: StartOffer.script)
  )

  private static func source(of text: StaticString) -> String {
    let bytes = Array(text.description.utf8)
    return "sha256-" + Data(SHA256.hash(data: bytes)).base64EncodedString()
  }
}
