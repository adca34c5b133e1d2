// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore
import NIOCore

/// Signs a device in at `/sign-in`, by the passphrase or a one-time code, and out at `/sign-out`.
struct SignInController: Controller {
  let network: NetworkAccess
  let pages: ServerPageRenderer
  /// Logs wrong passphrases.
  let incidents: IncidentLog

  var endpoints: [Endpoint] {
    [
      .get("sign-in") { try await page($0, $1) },
      .post("sign-in", bodyLimit: 4096) { try await signIn($0, $1) },
      .post("sign-in/code") { try await code($0, $1) },
      .post("sign-out") { try await signOut($0, $1) },
    ]
  }

  private func page(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    let target = Self.target(request.uri.queryParameters["to"].map(String.init))
    if network.access == nil || context.credential != nil || request.head.isSignedInByProxy {
      return Self.seeOther(target)
    }
    var offer = SignInOffer(target: Text(string: target))
    offer.isOnMachine = RequestKind.isLocal(request.head, from: context.client)
    return try await show(offer, to: request)
  }

  /// A one-time code for the browser of this machine's user, which `longbox open` asks for.
  private func code(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    guard let access = network.access else {
      throw HTTPError(.notFound, message: "This server asks for no sign-in.")
    }
    guard network.gate.isByMachineUser(request.head) else {
      throw HTTPError(.forbidden, message: "Only the user of this machine gets a code here.")
    }
    return Hummingbird.Response(
      status: .ok,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: try await access.offerCode()))
    )
  }

  private func signIn(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    let form = try await FormFields(of: request, context)
    let target = Self.target(form["to"]?.description)
    guard let access = network.access else { return Self.seeOther(target) }
    let outcome = try await access.signIn(
      (form["passphrase"]?.description ?? "").trimmingCharacters(in: .whitespacesAndNewlines),
      from: context.client,
      device: BrowserName(request.headers[.userAgent]).text
    )
    var offer = SignInOffer(target: Text(string: target))
    offer.isOnMachine = RequestKind.isLocal(request.head, from: context.client)
    switch outcome {
    case .signedIn(let token):
      var response = Self.seeOther(target)
      response.setSession(token.text, to: request)
      return response
    case .wrong:
      incidents.note(.wrongPassphrases, "\(context.client)")
      offer.problem = .wrong
      return try await show(offer, to: request)
    case .tooMany(let seconds):
      incidents.note(.tooManyPassphrases, "\(context.client)")
      offer.problem = .tooMany(seconds: seconds)
      var response = try await show(offer, to: request)
      response.headers[.retryAfter] = "\(seconds)"
      return response
    }
  }

  private func signOut(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    try SameOrigin.check(request)
    if let credential = context.credential { try await network.access?.remove(credential.id) }
    var response = Self.seeOther(Link.signIn.address.description)
    response.setSession("", for: 0, to: request)
    return response
  }

  private func show(_ offer: SignInOffer, to request: Hummingbird.Request) async throws
    -> Hummingbird.Response
  {
    // A stranger must not see another reader's settings, so the page never uses a library.
    try await pages.show(.signIn(offer), to: request, as: nil)
  }

  private static func seeOther(_ target: String) -> Hummingbird.Response {
    Hummingbird.Response(status: .seeOther, headers: [.location: target, .cacheControl: "no-store"])
  }

  /// The page to open afterwards: always a path on this server, so a forged link can't lead elsewhere.
  static func target(_ text: String?) -> String {
    guard
      let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/sign-in"),
      text.utf8.count <= 2048,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return text
  }
}

/// Lists the signed-in devices and the access keys at `/settings/devices`, makes new ones, and removes them.
struct DevicesController: Controller {
  let network: NetworkAccess
  let site: SiteAddress
  let pages: ServerPageRenderer

  var endpoints: [Endpoint] {
    [
      .get("settings/devices") { try await show(DevicesOffer(), to: $0, $1) },
      .post("settings/devices", bodyLimit: 4096) { try await change($0, $1) },
    ]
  }

  private func change(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    let form = try await FormFields(of: request, context)
    guard let access = network.access else { return .seeOther(.devices) }
    let id = form["id"].flatMap { Int64($0.description) }
    var offer = DevicesOffer()
    switch form["do"]?.description {
    case "sign-out":
      if let id { try await access.remove(id) }
      if let id, id == context.credential?.id { return .seeOther(.signIn) }
    case "revoke": if let id { try await access.remove(id) }
    case "sign-out-others": try await access.signOutOthers(except: context.credential?.id)
    case "make-key":
      let name = (form["name"]?.description ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      offer.newKey = Text(string: try await access.makeKey(named: String(name.prefix(60))).text)
      return try await show(offer, to: request, context)
    case "connect":
      offer.code = try await code(access, request)
      return try await show(offer, to: request, context)
    default: throw HTTPError(.badRequest, message: "The form names no known action.")
    }
    return .seeOther(.devices)
  }

  private func code(_ access: AccessControl, _ request: Hummingbird.Request) async throws
    -> DevicesOffer.Code
  {
    let code = try await access.offerCode()
    // The part after # is never sent, so that no log has the code.
    let link = "\(root(of: request))\(Link.signIn.address)#code=\(code)"
    return DevicesOffer.Code(
      code: Text(string: code),
      link: Text(string: link),
      symbol: QRCode.symbol(of: link)
    )
  }

  /// The address by which another device reaches this server.
  private func root(of request: Hummingbird.Request) -> String {
    guard let address = site.address(of: request.head) else { return "" }
    guard address.isLoopback, let host = HostField(request.head.authority) else { return address.root }
    return network.roots(port: host.port, of: site).first ?? address.root
  }

  private func show(
    _ offer: DevicesOffer,
    to request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    var offer = offer
    if let access = network.access {
      let this = context.credential?.id
      offer.devices = access.credentials(.session).map { Self.entry($0, this) }
      offer.keys = access.credentials(.key).map { Self.entry($0, this) }
    } else {
      offer.isOn = false
    }
    return try await pages.show(.devices(offer), to: request, as: LibraryCookie(of: request))
  }

  private static func entry(_ credential: StoredCredential, _ this: Int64?) -> DevicesOffer.Entry {
    DevicesOffer.Entry(
      id: Int(credential.id),
      name: Text(string: credential.name),
      seen: Text(string: credential.seenAt?.spelledInUTC ?? ""),
      isThis: credential.id == this
    )
  }
}
