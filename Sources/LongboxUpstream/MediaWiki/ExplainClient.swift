// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks explain xkcd for the wikitext of its pages about comics, fifty at a time.
///
/// The whole wiki is about 66 requests that way, instead of one for each page. What stands before the client gives it
/// manners: ``Transport/checkingWikiErrors()`` beneath ``Transport/withManners(for:pace:retry:)``.
public struct ExplainClient: Sendable {
  /// How much is taken, and how long it may take.
  public struct Limits: Equatable, Sendable {
    /// The longest answer in bytes; fifty pages have about 400,000, and the longest page 280,000 by itself.
    public var answerBytes = 16 << 20
    /// The time for an answer; the wiki is slow at times.
    public var answerTime = Duration.seconds(60)
    /// The most answers that are put together for one batch, where the wiki gives it in parts.
    public var answersPerBatch = 50
    /// How far behind its master the wiki's database may be for work that can wait, in seconds.
    public var maximumLag = 5

    /// The limits in force unless a test says otherwise.
    public init() {}
  }

  /// How many pages an answer may hold: MediaWiki's limit for those who are not logged in.
  public static let batchSize = 50

  private let transport: Transport
  private let address: ExplainAddress
  private let limits: Limits

  /// Makes a client.
  /// - Parameters:
  ///   - transport: where requests go. A status or an answer that is an error becomes one here, if it isn't yet.
  ///   - address: where the wiki is.
  ///   - limits: how much is taken.
  public init(transport: Transport, address: ExplainAddress = .standard, limits: Limits = Limits()) {
    self.transport = transport.checkingStatus().checkingWikiErrors()
    self.address = address
    self.limits = limits
  }

  /// The page about a comic, for a reader who waits.
  /// - Throws: ``UpstreamError/notFound(_:subject:)`` where there is none.
  public func page(about number: Comic.Number) async throws(UpstreamError) -> ExplainPage {
    let subject = Self.subject([number.value])
    switch try await pages(about: [number])[number] {
    case .page(let page): return page
    case .missing: throw .notFound(.explain, subject: subject)
    case .tooLong(let limit): throw .refused(.explain, .size(limit: limit))
    case nil: throw .malformed(.explain, at: "\(subject): the answer has no end")
    }
  }

  /// The pages about comics, asked for one batch after another.
  ///
  /// A batch that is too long for one answer is asked for in halves, so that an enormous page (1608, 2131) keeps no
  /// other from coming.
  /// - Parameters:
  ///   - numbers: which comics; for more than ``batchSize`` better call again after each batch, and store between.
  ///   - isBackground: whether nobody waits, so that a wiki under load may say "later".
  /// - Returns: an answer for each number, but for those that the wiki never came to the end of.
  public func pages(
    about numbers: [Comic.Number],
    isBackground: Bool = false
  ) async throws(UpstreamError) -> [Comic.Number: ExplainAnswer] {
    var answers: [Comic.Number: ExplainAnswer] = [:]
    var start = 0
    while start < numbers.count {
      let end = min(start + Self.batchSize, numbers.count)
      let batch = try await batch(numbers[start..<end], isBackground)
      answers.merge(batch) { $1 }
      start = end
    }
    return answers
  }

  private func batch(
    _ numbers: ArraySlice<Comic.Number>,
    _ isBackground: Bool
  ) async throws(UpstreamError) -> [Comic.Number: ExplainAnswer] {
    do throws(UpstreamError) {
      return try await wholeBatch(numbers, isBackground)
    } catch {
      guard case .refused(_, .size(let limit)) = error, let first = numbers.first else { throw error }
      guard numbers.count > 1 else { return [first: .tooLong(limit: limit)] }
      let middle = numbers.startIndex + numbers.count / 2
      let firstHalf = try await batch(numbers[..<middle], isBackground)
      let secondHalf = try await batch(numbers[middle...], isBackground)
      return firstHalf.merging(secondHalf) { $1 }
    }
  }

  private func wholeBatch(
    _ numbers: ArraySlice<Comic.Number>,
    _ isBackground: Bool
  ) async throws(UpstreamError) -> [Comic.Number: ExplainAnswer] {
    let values = numbers.map(\.value)
    let subject = Self.subject(values)
    var collected = WikiPages()
    var continuation: [String: String] = [:]
    for _ in 0..<limits.answersPerBatch {
      let question = Exchange(
        source: .explain,
        subject: subject,
        address: address.pages(
          about: values,
          continuation: continuation,
          maximumLag: isBackground ? limits.maximumLag : nil
        ),
        byteLimit: limits.answerBytes,
        timeLimit: limits.answerTime
      )
      let reply = try await transport.send(question)
      let answer: WikiAnswer
      do throws(WikiAnswer.Fault) {
        answer = try WikiAnswer(json: reply.body)
      } catch {
        throw .malformed(.explain, at: "\(subject): \(error)")
      }
      collected.add(answer)
      guard let next = answer.continuation else {
        collected.isComplete = true
        break
      }
      if values.allSatisfy({ collected.answer(about: $0) != nil }) { break }
      guard next != continuation else {
        throw .malformed(.explain, at: "\(subject): it says to go on where it began")
      }
      continuation = next
    }
    var answers: [Comic.Number: ExplainAnswer] = [:]
    for number in numbers { answers[number] = collected.answer(about: number.value) }
    return answers
  }

  private static func subject(_ numbers: [Int]) -> String {
    guard let first = numbers.first, let last = numbers.last, numbers.count > 1 else {
      return "explanation of comic \(numbers.first ?? 0)"
    }
    return "explanations of \(numbers.count) comics from \(first) to \(last)"
  }
}
