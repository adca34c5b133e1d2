// Longbox
// SPDX-License-Identifier: MIT

/// Counts the redirects that a transport follows, since each is one more request to the source.
struct RedirectCounter: Sendable {
  /// The counter of the current request; nil if nothing limits its rate.
  @TaskLocal static var current: RedirectCounter?

  /// Counts one.
  let count: @Sendable () async -> Void
}

extension Transport {
  /// Calls a closure for each redirect that is followed.
  func countingRedirects(_ count: @escaping @Sendable () async -> Void) -> Transport {
    Transport { exchange throws(UpstreamError) in
      let counter = RedirectCounter(count: count)
      let outcome = await RedirectCounter.$current.withValue(counter) { await self.outcome(of: exchange) }
      return try outcome.get()
    }
  }

  /// Sends a request and returns its error as a value, for closures that can't throw one of a known type.
  func outcome(of exchange: Exchange) async -> Result<Reply, UpstreamError> {
    do throws(UpstreamError) { return .success(try await send(exchange)) } catch { return .failure(error) }
  }
}
