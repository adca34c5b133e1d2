// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders
import NIOCore

extension ClientAddress {
  /// The client at the other end of a connection.
  init(_ address: SocketAddress?) {
    switch address {
    case .v4(let address): self.init(withUnsafeBytes(of: address.address.sin_addr) { Array($0) })
    case .v6(let address): self.init(withUnsafeBytes(of: address.address.sin6_addr) { Array($0) })
    case .unixDomainSocket, nil: self = .unknown
    }
  }
}
