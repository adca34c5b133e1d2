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
  /// The client's address; unknown without a socket, as in tests.
  private(set) var client: ClientAddress
  /// The event loop of the connection.
  let eventLoop: any EventLoop
  /// The session or access key that lets the request in, if it needed one.
  var credential: StoredCredential?

  /// Whether a trusted proxy has signed the reader in.
  var isSignedInByProxy = false

  /// Whether the client is a device of the household: it has signed in here or at a trusted proxy.
  var isSignedIn: Bool { credential != nil || isSignedInByProxy }

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    client = ClientAddress(source.channel.remoteAddress)
    eventLoop = source.channel.eventLoop
  }

  /// Sets the client's address, if the other end of the connection is a trusted proxy.
  mutating func setClient(_ address: IPAddress) {
    client = ClientAddress(address.bytes)
  }
}
