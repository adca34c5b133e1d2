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
    guard let text = ipAddress else { return nil }
    let isLong = text.contains(":")
    var bytes = [UInt8](repeating: 0, count: isLong ? 16 : 4)
    return inet_pton(isLong ? AF_INET6 : AF_INET, text, &bytes) == 1 ? bytes : nil
  }
}
