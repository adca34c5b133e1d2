// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream

extension Examination {
  /// What a source replied to its question.
  struct SourceProbe: Sendable {
    let question: SourceQuestion
    /// The reply; nil if the source isn't asked.
    let reply: Result<Reply, UpstreamError>?
    /// When it arrived.
    let date: Date
  }

  /// The ages of the newest answer that are a warning and a problem, in seconds: two days and two weeks.
  private static let (oldAnswer, veryOldAnswer) = (2.0 * 86_400, 14.0 * 86_400)
  /// The clock differences that are a warning and a problem, in seconds.
  private static let (wrongClock, veryWrongClock) = (300.0, 86_400.0)

  /// Asks all sources at the same time, except the iTunes Store while it refuses to answer the server.
  func answers(whilePaused pause: SourcePause?) async -> [SourceProbe] {
    await withTaskGroup { group in
      for question in sources {
        group.addTask {
          guard let ask = question.ask, question.source != .itunes || pause == nil else {
            return SourceProbe(question: question, reply: nil, date: now())
          }
          let reply: Result<Reply, UpstreamError>
          do throws(UpstreamError) { reply = .success(try await ask()) } catch { reply = .failure(error) }
          return SourceProbe(question: question, reply: reply, date: now())
        }
      }
      var answers: [SourceProbe] = []
      for await answer in group { answers.append(answer) }
      return answers.sorted { $0.question.source.subject.name < $1.question.source.subject.name }
    }
  }

  /// Checks that the sources answer, and the age of xkcd's newest answer.
  func examineSources(
    _ answers: [SourceProbe],
    _ check: Result<NewestCheck?, StoreError>,
    _ pause: SourcePause?
  ) -> [Finding] {
    let order = Finding.Subject.allCases
    return answers.map { answer in
      let source = answer.question.source
      if source == .itunes, let pause { return .warning(.itunes, pause.sentence, Self.refusedAdvice(source)) }
      if let reply = try? answer.reply?.get(), Self.isRefused(reply, from: source) {
        let text = "\(source.nameAtStart) refuses to answer (status \(reply.status))."
        let finding = newestAnswer(source, check, text)
        return Finding(
          subject: finding.subject,
          level: max(.warning, finding.level),
          text: finding.text,
          advice: Self.refusedAdvice(source)
        )
      }
      guard let problem = Self.problem(answer) else {
        guard answer.reply != nil else {
          return .ok(
            source.subject,
            "\(source.nameAtStart) is not asked.",
            "To use it, set LONGBOX_CONTACT."
          )
        }
        return newestAnswer(source, check, "\(source.nameAtStart) answers at \(answer.question.address).")
      }
      let finding = newestAnswer(source, check, problem)
      return Finding(
        subject: finding.subject,
        level: max(.warning, finding.level),
        text: finding.text,
        advice:
          "Check this machine's connection, its name service, and the source's address in the settings. Stored comics can still be read."
      )
    }
    .sorted { (order.firstIndex(of: $0.subject) ?? 0) < (order.firstIndex(of: $1.subject) ?? 0) }
  }

  /// Adds the age of the newest answer to a text.
  ///
  /// The store knows it for xkcd only.
  private func newestAnswer(
    _ source: Source,
    _ check: Result<NewestCheck?, StoreError>,
    _ text: String
  ) -> Finding {
    guard source == .xkcd, case .success(let check) = check else { return .ok(source.subject, text) }
    guard let date = check?.succeededAt else {
      return .ok(source.subject, "\(text) The server has not had an answer yet.")
    }
    let age = max(0, now().timeIntervalSince(date))
    let whole = "\(text) The server's newest answer is \(Self.spelled(seconds: age)) old."
    guard age > Self.oldAnswer else { return .ok(source.subject, whole) }
    return Finding(
      subject: source.subject,
      level: age > Self.veryOldAnswer ? .problem : .warning,
      text: whole,
      advice: "Check that the server runs, and what its log says about \(source.name)."
    )
  }

  private static func refusedAdvice(_ source: Source) -> String {
    source == .itunes
      ? "It has had too many requests from this network. Longbox asks again by itself, with pauses that grow to an hour; what is stored can still be read."
      : "It may have had too many requests from this network. Longbox asks again by itself; what is stored can still be read."
  }

  /// Whether a source refuses to answer: with the status for it, or, as the iTunes Store, with a page or nothing in place of data.
  private static func isRefused(_ reply: Reply, from source: Source) -> Bool {
    switch reply.status {
    case 403, 429: return true
    case 200 where source == .itunes:
      let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
      return reply.body.first { !isSpace($0) }.map { $0 == UInt8(ascii: "<") } ?? true
    default: return false
    }
  }

  /// Why a source doesn't answer; nil if it does.
  private static func problem(_ answer: SourceProbe) -> String? {
    switch answer.reply {
    case nil: return nil
    case .success(let reply) where reply.status < 500: return nil
    case .success(let reply):
      return "\(answer.question.source.nameAtStart) answers with status \(reply.status)."
    // The source answers, although the answer is refused, for example because it is too long.
    case .failure(.rejected): return nil
    case .failure(let error): return error.description
    }
  }

  /// Compares the clock with a source's.
  func examineClock(_ answers: [SourceProbe], _ check: NewestCheck?) -> Finding {
    let advice = "Set the clock by the network: timedatectl set-ntp true"
    for answer in answers {
      guard case .success(let reply)? = answer.reply, let date = reply.headers.date else { continue }
      let age = reply.headers["Age"].flatMap { UInt32($0) }.map { TimeInterval($0) } ?? 0
      let difference = answer.date.timeIntervalSince(date.addingTimeInterval(age))
      guard abs(difference) > Self.wrongClock else {
        return .ok(.clock, "The clock agrees with \(answer.question.source.name)'s.")
      }
      let text =
        "The clock is \(Self.spelled(seconds: abs(difference))) \(difference > 0 ? "ahead of" : "behind") "
        + "\(answer.question.source.name)'s."
      return abs(difference) > Self.veryWrongClock
        ? .problem(.clock, text, advice) : .warning(.clock, text, advice)
    }
    if let last = check?.checkedAt, last.timeIntervalSince(now()) > Self.wrongClock {
      return .warning(
        .clock,
        "The clock was set back: the last check for a new comic is in the future.",
        advice
      )
    }
    return .ok(.clock, "It is \(now().spelledInUTC). No source answered, so the clock wasn't compared.")
  }
}

extension Source {
  /// The subject of a finding about this source.
  fileprivate var subject: Finding.Subject {
    switch self {
    case .xkcd: .xkcd
    case .explain: .explain
    case .itunes, .artwork: .itunes
    case .wikipedia: .wikipedia
    }
  }
}

extension HeaderFields {
  /// The `Date` field: when the sender made the reply.
  fileprivate var date: Date? {
    self["Date"].flatMap { HTTPDate(Text(string: $0)) }
      .map { Date(timeIntervalSince1970: TimeInterval($0.seconds)) }
  }
}
