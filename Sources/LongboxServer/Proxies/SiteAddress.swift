// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes

/// Where readers find this server.
public struct SiteAddress: Equatable, Sendable {
  /// The path below which it is.
  public let basePath: BasePath
  /// The operator's address; nil to use the address in each request.
  let publicAddress: PublicAddress?

  /// A server without a fixed address: links use the address in each request.
  /// - Parameter basePath: the path below which it is.
  public init(basePath: BasePath = BasePath()) {
    self.basePath = basePath
    publicAddress = nil
  }

  /// A server with a public address.
  public init(_ address: PublicAddress) {
    basePath = address.basePath
    publicAddress = address
  }

  /// The address for links from elsewhere: feeds, embeddings, QR codes.
  ///
  /// Nil if neither the operator nor the request names it.
  func address(of head: HTTPRequest) -> PublicAddress? {
    publicAddress ?? PublicAddress(authority: head.authority, isSecure: head.isSecure, basePath: basePath)
  }

  /// What links start with that readers share: scheme, host, port and base path; nil if people elsewhere can't reach the server.
  var shared: String? { publicAddress.flatMap { $0.isPublic ? $0.root : nil } }

  /// The host's name in the address that the operator named, in lower case; nil for an IP address.
  public var publicName: String? {
    publicAddress.flatMap { HostField($0.authority) }.flatMap { $0.isAddress ? nil : $0.name }
  }
}
