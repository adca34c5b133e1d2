// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
package import LongboxUpstream
import Synchronization
import TestSupport

/// A fake xkcd in the process, which can be made to fail and records its requests.
///
/// It replaces only the network, so addresses, decoding and errors are the real ones.
package final class FakeXkcd: Sendable {
  /// A fault at one address.
  package enum Trouble: Sendable {
    /// Another status code.
    case status(Int, retryAfter: String? = nil)
    /// Another body, with status 200.
    case body([UInt8])
    /// No answer.
    case failure(UpstreamError)
  }

  /// One request.
  package struct Question: Equatable, Sendable {
    package var path: String
    /// Whether the request had a validator.
    package var isConditional: Bool

    package init(path: String, isConditional: Bool) {
      self.path = path
      self.isConditional = isConditional
    }
  }

  private struct State {
    var latest: Int
    var records: [Int: [UInt8]] = [:]
    var pictures: [String: [UInt8]] = [:]
    var troubles: [String: Trouble] = [:]
    var outage: Trouble?
    var held: Set<String> = []
    var questions: [Question] = []
  }

  private let state: Mutex<State>
  private let (arrivals, arrival) = AsyncStream.makeStream(of: String.self)

  /// Publishes comics up to a number; the newest has the date at which ``SettableTime`` starts.
  /// - Parameters:
  ///   - latest: the newest comic.
  ///   - first: the oldest comic; requests for earlier ones get status 404.
  package init(latest: Int, from first: Int = 1) {
    state = Mutex(State(latest: latest))
    for number in first...latest where number != 404 { put(number, daysAgo: latest - number) }
  }

  /// Publishes the comics up to a number, all with one date.
  package func publish(upTo latest: Int, on date: Date = SettableTime.start) {
    let before = state.withLock { state in
      defer { state.latest = latest }
      return state.latest
    }
    for number in (before + 1)...latest where number != 404 {
      set(HandmadeRecord.raw(number, date: date), for: number)
      set(picture: HandmadeRecord.picture(number), named: "bread_\(number).png")
    }
  }

  private func put(_ number: Int, daysAgo: Int) {
    let date = SettableTime.start.addingTimeInterval(-86_400 * Double(daysAgo))
    set(HandmadeRecord.raw(number, date: date), for: number)
    set(picture: HandmadeRecord.picture(number), named: "bread_\(number).png")
  }

  package func set(_ raw: [UInt8], for number: Int) {
    state.withLock { $0.records[number] = raw }
  }

  /// Replaces a picture, or removes it.
  package func set(picture: [UInt8]?, named name: String) {
    state.withLock { $0.pictures["/comics/\(name)"] = picture }
  }

  package func record(_ number: Int) -> [UInt8]? { state.withLock { $0.records[number] } }

  /// Sets the fault at one address, or removes it.
  package func set(_ trouble: Trouble?, at path: String) {
    state.withLock { $0.troubles[path] = trouble }
  }

  /// Sets a fault for all addresses, or removes it.
  package func setEverywhere(_ trouble: Trouble?) {
    state.withLock { $0.outage = trouble }
  }

  /// Delays replies at a path until it is released.
  package func hold(_ path: String) {
    state.withLock { _ = $0.held.insert(path) }
  }

  /// Sends the delayed replies.
  package func release(_ path: String) {
    state.withLock { _ = $0.held.remove(path) }
  }

  /// Waits until a request for a held path arrives.
  package func arrival(at path: String) async {
    for await arrived in arrivals where arrived == path { return }
  }

  /// The requests since the last call.
  package func takeQuestions() -> [Question] {
    state.withLock { state in
      defer { state.questions = [] }
      return state.questions
    }
  }

  /// The paths requested since the last call.
  package func takePaths() -> [String] { takeQuestions().map(\.path) }

  /// A transport to this fake.
  package var transport: Transport {
    Transport { exchange throws(UpstreamError) in
      let path = exchange.address.target
      self.state.withLock {
        $0.questions.append(Question(path: path, isConditional: exchange.validator != nil))
      }
      if self.isHeld(path) { self.arrival.yield(path) }
      await eventually { !self.isHeld(path) }
      guard !Task.isCancelled else { throw .cancelled }
      return try self.reply(to: exchange)
    }
  }

  private func isHeld(_ path: String) -> Bool { state.withLock { $0.held.contains(path) } }

  private func reply(to exchange: Exchange) throws(UpstreamError) -> Reply {
    let (trouble, found) = state.withLock { state in
      let path = exchange.address.target
      return (state.outage ?? state.troubles[path], Self.content(at: path, in: state))
    }
    switch trouble {
    case .failure(let error): throw error
    case .status(let status, let retryAfter):
      var headers = HeaderFields()
      if let retryAfter { headers.add("Retry-After", retryAfter) }
      return Reply(status: status, headers: headers, address: exchange.address)
    case .body(let body): return Reply(status: 200, body: body, address: exchange.address)
    case nil: break
    }
    guard let found else { return Reply(status: 404, address: exchange.address) }
    let tag = "\"\(found.hashValue)\""
    let isKnown = exchange.validator?.entityTag == tag
    return Reply(
      status: isKnown ? 304 : 200,
      headers: ["ETag": tag],
      body: isKnown ? [] : found,
      address: exchange.address
    )
  }

  private static func content(at path: String, in state: State) -> [UInt8]? {
    if let picture = state.pictures[path] { return picture }
    if path == "/info.0.json" { return state.records[state.latest] }
    guard path.hasSuffix("/info.0.json"), let number = Int(path.dropFirst().prefix { $0 != "/" }),
      number <= state.latest
    else { return nil }
    return state.records[number]
  }
}
