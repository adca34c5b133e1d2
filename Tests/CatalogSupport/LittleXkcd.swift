// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
package import LongboxUpstream
import Synchronization

/// An xkcd of our own making, in the process: its records and pictures, what is wrong with it, and what it was asked.
///
/// It stands where the network would, so that everything above takes its usual way, through addresses, decoding and
/// errors.
package final class LittleXkcd: Sendable {
  /// What goes wrong at one address.
  package enum Trouble: Sendable {
    /// Another status.
    case status(Int, retryAfter: String? = nil)
    /// Another body, with status 200.
    case body([UInt8])
    /// No answer.
    case failure(UpstreamError)
  }

  /// One request.
  package struct Question: Equatable, Sendable {
    /// The path, such as `/7/info.0.json`.
    package var path: String
    /// Whether it asked for the thing only if it has changed.
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

  /// Publishes comics up to a number, the latest of them on the day on which ``SettableTime`` starts.
  /// - Parameters:
  ///   - latest: the newest comic.
  ///   - first: the oldest; it has no such comic as those before.
  package init(latest: Int, from first: Int = 1) {
    state = Mutex(State(latest: latest))
    for number in first...latest where number != 404 { put(number, daysAgo: latest - number) }
  }

  /// Publishes the comics up to a number, as of a day.
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

  /// Changes a record.
  package func set(_ raw: [UInt8], for number: Int) {
    state.withLock { $0.records[number] = raw }
  }

  /// Puts a picture in its place, or takes it away.
  package func set(picture: [UInt8]?, named name: String) {
    state.withLock { $0.pictures["/comics/\(name)"] = picture }
  }

  /// The record of a comic.
  package func record(_ number: Int) -> [UInt8]? { state.withLock { $0.records[number] } }

  /// Lets something go wrong at one address, or no longer.
  package func set(_ trouble: Trouble?, at path: String) {
    state.withLock { $0.troubles[path] = trouble }
  }

  /// Lets something go wrong wherever it is asked, or no longer.
  package func setEverywhere(_ trouble: Trouble?) {
    state.withLock { $0.outage = trouble }
  }

  /// Keeps those who ask for a path waiting until it is released.
  package func hold(_ path: String) {
    state.withLock { _ = $0.held.insert(path) }
  }

  /// Answers those who were kept waiting.
  package func release(_ path: String) {
    state.withLock { _ = $0.held.remove(path) }
  }

  /// Waits until a path that is held has been asked for.
  package func arrival(at path: String) async {
    for await arrived in arrivals where arrived == path { return }
  }

  /// What was asked since the last time.
  package func takeQuestions() -> [Question] {
    state.withLock { state in
      defer { state.questions = [] }
      return state.questions
    }
  }

  /// The paths that were asked since the last time.
  package func takePaths() -> [String] { takeQuestions().map(\.path) }

  /// The way to it.
  package var transport: Transport {
    Transport { exchange throws(UpstreamError) in
      let path = exchange.address.target
      self.state.withLock {
        $0.questions.append(Question(path: path, isConditional: exchange.validator != nil))
      }
      if self.isHeld(path) { self.arrival.yield(path) }
      while self.isHeld(path) {
        guard !Task.isCancelled else { throw .cancelled }
        await Task.yield()
      }
      return try self.answer(exchange)
    }
  }

  private func isHeld(_ path: String) -> Bool { state.withLock { $0.held.contains(path) } }

  private func answer(_ exchange: Exchange) throws(UpstreamError) -> Reply {
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
