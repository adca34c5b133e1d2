// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore

/// Lists the signed-in devices and the access keys at `/settings/devices`, makes new ones, and removes them.
struct DevicesController: Controller {
  let reach: Reach
  let site: SiteAddress
  let pages: any ServerPageRendering

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
    guard let access = reach.access else { return .seeOther(.devices) }
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
    return reach.roots(port: host.port, of: site).first ?? address.root
  }

  private func show(
    _ offer: DevicesOffer,
    to request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    var offer = offer
    if let access = reach.access {
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
