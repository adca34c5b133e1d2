// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxReaders
import LongboxStore
import NIOCore

struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The maximum length of the body, in bytes.
  var maxUploadSize = 0
  /// Who asks, for limits.
  private(set) var client: ClientAddress
  private let channel: any Channel
  /// The client that a trusted proxy named.
  private var forwarded: IPAddress?
  /// The session or access key that lets the request in, if it needed one.
  var credential: StoredCredential?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    client = ClientAddress(source.channel.remoteAddress)
  }

  /// Where the request comes from; nil if unknown, as in tests without a socket.
  var peer: Peer? { (forwarded ?? IPAddress(channel.remoteAddress)).map { Peer($0) } }

  /// Sets who asks, if the other end of the connection is a trusted proxy.
  mutating func setClient(_ address: IPAddress) {
    forwarded = address
    client = ClientAddress(address.bytes)
  }
}
