// Longbox
// SPDX-License-Identifier: MIT

/// The way to a source: one closure that takes a request and brings back a reply.
///
/// Clients such as ``XkcdClient`` are concrete and stand on a transport, so that a test, or the built-in sample
/// box, takes the same way through addresses, decoding and errors as the network does. Manners (rate, retry,
/// joining) are decorators: functions that wrap a transport into another one.
///
///     let sample = Transport { exchange throws(UpstreamError) in
///       Reply(status: 200, body: files[exchange.address.target] ?? [], address: exchange.address)
///     }
public struct Transport: Sendable {
  /// Sends a request and waits for the whole reply.
  ///
  /// A transport may return a reply of any status: ``checkingStatus(now:)`` makes errors of those which are.
  public var send: @Sendable (Exchange) async throws(UpstreamError) -> Reply

  /// Makes a transport of what brings a reply.
  public init(send: @escaping @Sendable (Exchange) async throws(UpstreamError) -> Reply) {
    self.send = send
  }
}
