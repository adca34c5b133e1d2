// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders
import NIOCore

extension ClientAddress {
  /// The address of a peer.
  init(_ address: SocketAddress?) {
    switch address {
    case .v4(let address): self.init(withUnsafeBytes(of: address.address.sin_addr) { [UInt8]($0) })
    case .v6(let address): self.init(withUnsafeBytes(of: address.address.sin6_addr) { [UInt8]($0) })
    case .unixDomainSocket, nil: self = .unknown
    }
  }
}
