// Longbox
// SPDX-License-Identifier: MIT

/// A closure that sends a request to a source and returns the reply.
///
/// Clients such as ``XkcdClient`` are concrete and take a transport, so that tests and the sample box run the
/// same code as the network. Request policies (rate, retry, joining) are decorators: functions that wrap a
/// transport.
///
///     let sample = Transport { exchange throws(UpstreamError) in
///       Reply(status: 200, body: files[exchange.address.target] ?? [], address: exchange.address)
///     }
public struct Transport: Sendable {
  /// Sends a request and waits for the whole reply.
  ///
  /// It may have any status; ``checkingStatus(now:)`` throws the errors.
  public var send: @Sendable (Exchange) async throws(UpstreamError) -> Reply

  /// Makes a transport of a closure.
  public init(send: @escaping @Sendable (Exchange) async throws(UpstreamError) -> Reply) {
    self.send = send
  }
}
