// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The followers' requests to the leader, in the table `wanted`.
public final class LeaderRequestQueue: Sendable {
  /// Requests older than this, in seconds, are ignored, because no reader waits that long.
  private static let longestWait: Int64 = 60
  /// The value of the column `failure` if the source doesn't have the part.
  private static let absent = "absent"

  private let pool: PostgresPool
  private let place: StorePlace
  private let election: LeaderElection

  init(_ pool: PostgresPool, _ place: StorePlace, _ election: LeaderElection) {
    self.pool = pool
    self.place = place
    self.election = election
  }

  /// Adds a request, and notifies the leader.
  /// - Throws: `StoreError`.
  public func add(_ request: LeaderRequest) async throws(StoreError) {
    try await converting { [self] in
      try await pool.transaction { session in
        try session.execute(
          """
          INSERT INTO wanted (thing, number, asked_at) VALUES ($1, $2, extract(epoch FROM now())::bigint)
          ON CONFLICT (thing, number) DO UPDATE SET asked_at = excluded.asked_at, failure = NULL
          """,
          .text(request.part.rawValue),
          .init(request.number)
        )
        try session.execute("SELECT pg_notify($1, 'wanted')", .text(ChangeListener.channel))
      }
    }
  }

  /// The state of a request.
  /// - Throws: `StoreError`.
  public func outcome(of request: LeaderRequest) async throws(StoreError) -> LeaderRequest.Outcome {
    try await converting { [self] in
      try await pool.read { session in
        let row = try session.execute(
          "SELECT failure FROM wanted WHERE thing = $1 AND number = $2",
          .text(request.part.rawValue),
          .init(request.number)
        ).first
        guard let row else { return .stored }
        guard let failure = try row.optionalText(0) else { return .waiting }
        return .failed(failure == Self.absent ? nil : failure)
      }
    }
  }

  /// The requests that readers still wait for, oldest first.
  /// - Throws: `StoreError`.
  public func open(limit: Int) async throws(StoreError) -> [LeaderRequest] {
    try await converting { [self] in
      try await pool.read { session in
        try session.execute(
          """
          SELECT thing, number FROM wanted WHERE failure IS NULL
            AND asked_at > extract(epoch FROM now())::bigint - $1 ORDER BY asked_at, thing, number LIMIT $2
          """,
          .integer(Self.longestWait),
          .init(limit)
        )
        .map { row in
          guard let part = LeaderRequest.Part(rawValue: try row.text(0)) else { throw row.unexpected(0) }
          return LeaderRequest(part, of: try row.number(1))
        }
      }
    }
  }

  /// Stores the outcome of a request; only the leader may call this.
  /// - Throws: `StoreError`.
  public func finish(_ request: LeaderRequest, _ outcome: LeaderRequest.Outcome) async throws(StoreError) {
    let term = election.latestTerm
    try await converting { [self] in
      try await pool.transaction { session in
        try term?.require(in: session)
        let (part, number) = (SQLValue.text(request.part.rawValue), SQLValue(request.number))
        switch outcome {
        case .waiting: break
        case .stored:
          try session.execute("DELETE FROM wanted WHERE thing = $1 AND number = $2", part, number)
        case .failed(let reason):
          try session.execute(
            "UPDATE wanted SET failure = $3 WHERE thing = $1 AND number = $2",
            part,
            number,
            .text(reason.map { String($0.prefix(300)) } ?? Self.absent)
          )
        }
      }
    }
  }

  private func converting<Value: Sendable>(_ body: () async throws -> Value) async throws(StoreError) -> Value
  {
    do {
      return try await body()
    } catch {
      throw StoreError(error, in: place, pool.settings.address)
    }
  }
}

/// A request to the leader to fetch a part of a comic that a reader of a follower waits for.
public struct LeaderRequest: Hashable, Sendable {
  /// The parts of a comic that can be fetched.
  public enum Part: String, Sendable {
    /// The comic's record.
    case record
    /// Its picture, with the record.
    case picture
    /// Its double-size picture.
    case doubleSize
    /// The larger version of its picture.
    case larger
    /// Its explanation.
    case explanation

    /// The name in messages.
    public var name: String {
      switch self {
      case .record, .picture, .explanation: rawValue
      case .doubleSize: "double-size picture"
      case .larger: "larger version"
      }
    }
  }

  /// The part to fetch.
  public let part: Part
  /// The comic.
  public let number: Comic.Number

  /// Makes a request.
  public init(_ part: Part, of number: Comic.Number) {
    self.part = part
    self.number = number
  }

  /// The state of a request.
  public enum Outcome: Equatable, Sendable {
    /// The leader hasn't handled it yet.
    case waiting
    /// The leader has stored the part.
    case stored
    /// The leader couldn't fetch it; the reason, or nil if the source doesn't have it.
    case failed(String?)
  }
}
