// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders
import NIOCore

extension ClientAddress {
  /// The address of a peer.
  init(_ address: SocketAddress?) {
    self.init(address?.bytes ?? [])
  }
}

extension SocketAddress {
  /// The 4 or 16 bytes of an IP address; nil for others.
  var bytes: [UInt8]? {
    switch self {
    case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { [UInt8]($0) }
    case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { [UInt8]($0) }
    case .unixDomainSocket: nil
    }
  }
}
