// Longbox
// SPDX-License-Identifier: MIT

import CPostgres
import Foundation

/// An open connection to the server, used by one thread only.
///
/// libpq runs in its non-blocking mode: all waiting is in ``wait(_:)``, which ends at the deadline.
final class PostgresSession {
  private let connection: OpaquePointer
  private var prepared: [String: String] = [:]
  private var nameCount = 0
  /// The BEGIN of a transaction, which is sent together with its first statement.
  private var pendingBegin: String?
  /// When waiting for the server ends; nil for never.
  var deadline: ContinuousClock.Instant?
  private(set) var isBroken = false

  /// Connects; looking up host names blocks.
  init(_ address: PostgresAddress, within limit: Duration) throws(PostgresError) {
    guard let connection = lbx_pg_connect_start(address.text, "longbox") else {
      throw PostgresError(.connectionLost, "there is not enough memory")
    }
    self.connection = connection
    deadline = .now + limit
    var wanted = POLLOUT
    while true {
      guard lbx_pg_status(connection) != Int32(LBX_PG_CONNECTION_BAD) else { throw connectFailure(address) }
      try wait(wanted)
      switch lbx_pg_connect_poll(connection) {
      case Int32(LBX_PG_POLLING_OK):
        _ = lbx_pg_set_nonblocking(connection, 1)
        lbx_pg_ignore_notices(connection)
        deadline = nil
        return
      case Int32(LBX_PG_POLLING_READING): wanted = POLLIN
      case Int32(LBX_PG_POLLING_WRITING): wanted = POLLOUT
      default: throw connectFailure(address)
      }
    }
  }

  /// Connects, and runs a text of statements on the new connection.
  convenience init(
    _ settings: PostgresSettings,
    within limit: Duration? = nil,
    running setUp: String
  ) throws(PostgresError) {
    let limit = min(settings.connectTimeout, limit ?? settings.connectTimeout)
    try self.init(settings.address, within: limit)
    deadline = .now + limit
    try run(setUp)
  }

  deinit { lbx_pg_finish(connection) }

  /// libpq 15 gives no SQLSTATE for a refused connection, so this looks for words in the message.
  private func connectFailure(_ address: PostgresAddress) -> PostgresError {
    let message = errorMessage
    let isBusy = [
      "starting up", "shutting down", "recovery mode", "not yet accepting", "too many",
      "remaining connection slots",
    ].contains { message.contains($0) }
    let isDenied = [
      "authentication failed", "no pg_hba.conf entry", "does not exist", "no password supplied",
    ]
    .contains { message.contains($0) && !message.contains("No such file") }
    return PostgresError(
      isBusy ? .unavailable : isDenied ? .denied : .connectionLost,
      address.hidingSecrets(in: message)
    )
  }

  private var errorMessage: String {
    String(cString: lbx_pg_error_message(connection)).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether the server has closed the connection while it was idle.
  var isStale: Bool {
    if isBroken || lbx_pg_status(connection) != Int32(LBX_PG_CONNECTION_OK) { return true }
    guard isReady(for: POLLIN, within: .zero) else { return false }
    // The input may be a notice, or the end of the connection.
    if lbx_pg_consume_input(connection) == 0 { return true }
    return lbx_pg_status(connection) != Int32(LBX_PG_CONNECTION_OK)
  }

  var isInTransaction: Bool { lbx_pg_transaction_status(connection) != Int32(LBX_PG_TRANSACTION_IDLE) }

  /// The server's version, such as 150018.
  var serverVersion: Int { Int(lbx_pg_server_version(connection)) }
}

// MARK: Statements

extension PostgresSession {
  /// Runs a statement, which is prepared once for this connection.
  @discardableResult
  func execute(_ sql: String, _ values: SQLValue...) throws(PostgresError) -> PostgresRows {
    try execute(sql, values: values)
  }

  @discardableResult
  func execute(_ sql: String, values: [SQLValue]) throws(PostgresError) -> PostgresRows {
    do {
      if pendingBegin == nil, let name = prepared[sql] {
        try send(name, values)
        return try result()
      }
      return try executeTogether(sql, [values])
    } catch {
      // A new connection is simpler than removing the prepared statements from the server.
      if error.kind == .stalePlan { isBroken = true }
      throw error
    }
  }

  /// Sends BEGIN, PREPARE and the statement with each of some rows of values in one round trip.
  ///
  /// Outside a transaction, all executions together are one.
  /// - Returns: the result of the last execution.
  private func executeTogether(_ sql: String, _ executions: [[SQLValue]]) throws(PostgresError)
    -> PostgresRows
  {
    guard let first = executions.first else { throw PostgresError(.other, "there is nothing to execute") }
    try check(lbx_pg_enter_pipeline_mode(connection))
    var results = executions.count
    if let begin = pendingBegin {
      pendingBegin = nil
      try check(lbx_pg_send_query_params(connection, begin, 0, nil, nil, nil, nil, 1))
      results += 1
    }
    let known = prepared[sql]
    let name = known ?? "s\(nameCount)"
    if known == nil {
      nameCount += 1
      try check(lbx_pg_send_prepare(connection, name, sql, Int32(first.count), first.map(\.type)))
      results += 1
    }
    for values in executions { try send(name, values) }
    try check(lbx_pg_pipeline_sync(connection))
    var failure: PostgresError?
    var rows: PostgresRows?
    for rest in (0..<results).reversed() {
      do { rows = try result() } catch { failure = failure ?? error }
      if isBroken { throw failure ?? lost() }
      // The statement stays prepared even if executing it failed.
      if rest == executions.count, failure == nil { prepared[sql] = name }
    }
    guard let sync = try next() else { throw lost() }
    defer { lbx_pg_clear(sync) }
    // Outside a transaction the server commits only here. If it crashed after the rows, this is the error.
    guard lbx_pg_result_status(sync) == Int32(LBX_PG_PIPELINE_SYNC) else {
      isBroken = true
      throw failure ?? self.failure(sync)
    }
    try check(lbx_pg_exit_pipeline_mode(connection))
    if let failure { throw failure }
    guard let rows else { throw lost() }
    return rows
  }

  /// Runs a text of several statements without values.
  func run(_ sql: String) throws(PostgresError) {
    try sendPendingBegin()
    try check(lbx_pg_send_query(connection, sql))
    _ = try result()
  }

  private func sendPendingBegin() throws(PostgresError) {
    guard let begin = pendingBegin else { return }
    pendingBegin = nil
    try check(lbx_pg_send_query(connection, begin))
    _ = try result()
  }

  /// Runs a transaction.
  /// - Throws: `outcomeUnknown` if the connection broke during the commit.
  func transaction<Outcome>(
    _ begin: String = "BEGIN",
    _ body: (PostgresSession) throws -> Outcome
  ) throws -> Outcome {
    pendingBegin = begin
    let outcome: Outcome
    do {
      outcome = try body(self)
    } catch {
      if pendingBegin == nil, !isBroken { try? run("ROLLBACK") }
      pendingBegin = nil
      throw error
    }
    guard pendingBegin == nil else {
      pendingBegin = nil
      return outcome
    }
    try statement { _ in
      try check(lbx_pg_send_query(connection, "COMMIT"))
      // The server answers ROLLBACK, which is no error, if a statement has failed before.
      guard try result().command == "COMMIT" else {
        throw PostgresError(.other, "the transaction had failed")
      }
    }
    return outcome
  }

  /// Runs a statement that changes something outside a transaction.
  /// - Throws: `outcomeUnknown` if the connection broke, because the server may have stored the change before.
  func statement<Outcome>(_ body: (PostgresSession) throws -> Outcome) throws -> Outcome {
    do {
      return try body(self)
    } catch let error as PostgresError where [.connectionLost, .timedOut].contains(error.kind) {
      throw PostgresError(.outcomeUnknown, error.message, sqlState: error.sqlState)
    }
  }

  private func send(_ name: String, _ values: [SQLValue]) throws(PostgresError) {
    let formats = [Int32](repeating: 1, count: values.count)
    let encoded = values.map(\.encoded)
    let lengths = encoded.map { Int32($0?.count ?? 0) }
    // One block for all values. An empty value still needs a pointer, or it would be NULL.
    var block: [CChar] = []
    block.reserveCapacity(encoded.reduce(1) { $0 + ($1?.count ?? 0) })
    for case let value? in encoded { block += value.map { CChar(bitPattern: $0) } }
    block.append(0)
    let sent = block.withUnsafeBufferPointer { block in
      var place = 0
      var pointers: [UnsafePointer<CChar>?] = []
      for value in encoded {
        pointers.append(value == nil ? nil : block.baseAddress?.advanced(by: place))
        place += value?.count ?? 0
      }
      return lbx_pg_send_query_prepared(
        connection,
        name,
        Int32(values.count),
        pointers,
        lengths,
        formats,
        1
      )
    }
    try check(sent)
  }
}

extension PostgresSession: SQLConnection {
  /// The number of rows that one INSERT of many has.
  private static let rowsTogether = 100
  /// The most executions of a statement that are sent together.
  private static let executionsTogether = 500

  var dialect: SQLDialect { .postgres }

  func rows<Value>(
    _ sql: String,
    _ values: [SQLValue],
    _ read: (SQLRow) throws -> Value
  ) throws -> [Value] {
    try execute(sql, values: values).map { row in try read(row) }
  }

  @discardableResult
  func change(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try execute(sql, values: values).changed
  }

  func change(_ sql: String, each rows: [[SQLValue]]) throws {
    if rows.count == 1 {
      try execute(sql, values: rows[0])
      return
    }
    var rows = rows[...]
    if rows.count >= Self.rowsTogether, let insert = Self.inserting(Self.rowsTogether, sql) {
      while rows.count >= Self.rowsTogether {
        try execute(insert, values: rows.prefix(Self.rowsTogether).flatMap { $0 })
        rows = rows.dropFirst(Self.rowsTogether)
      }
    }
    for start in stride(from: rows.startIndex, to: rows.endIndex, by: Self.executionsTogether) {
      let end = min(start + Self.executionsTogether, rows.endIndex)
      _ = try executeTogether(sql, Array(rows[start..<end]))
    }
  }

  /// An INSERT of a row's values as an INSERT of several rows; nil for another statement.
  ///
  /// With few rows a statement for each is as fast; with thousands this one takes a third of the time.
  private static func inserting(_ count: Int, _ sql: String) -> String? {
    guard sql.hasPrefix("INSERT"), let match = sql.firstMatch(of: /VALUES (\([^)]*\))/) else { return nil }
    let parameters = match.1.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
    guard let width = parameters.max() else { return nil }
    let rows = (0..<count).map { row in
      match.1.replacing(/\$(\d+)/) { "$\((Int($0.1) ?? 0) + row * width)" }
    }
    return sql.replacingCharacters(
      in: match.1.startIndex..<match.1.endIndex,
      with: rows.joined(separator: ", ")
    )
  }

  /// Takes an advisory lock.
  func lock(_ value: SQLValue) throws {
    if case .integer = value {
      try execute("SELECT pg_advisory_xact_lock($1)", value)
    } else {
      try execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", value)
    }
  }

  func transaction<Value>(_ body: () throws -> Value) throws -> Value { try transaction { _ in try body() } }

  func lastID(of table: String) throws -> Int64 {
    let sql = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(table)_id_seq"
    return try first(sql) { row in try row.int64(0) } ?? 0
  }

  func skipIDs(of table: String, upTo id: Int64) throws {
    guard id > 0 else { return }
    try execute("SELECT setval('\(table)_id_seq', $1)", .integer(id))
  }
}

// MARK: Results and waiting

extension PostgresSession {
  /// The last result of what was sent, or its first error.
  private func result() throws(PostgresError) -> PostgresRows {
    var rows: PostgresRows?
    var failure: PostgresError?
    while let result = try next() {
      switch lbx_pg_result_status(result) {
      case Int32(LBX_PG_TUPLES_OK), Int32(LBX_PG_COMMAND_OK): rows = PostgresRows(result)
      case Int32(LBX_PG_PIPELINE_ABORTED):
        lbx_pg_clear(result)
        failure = failure ?? PostgresError(.other, "an earlier statement failed")
      default:
        failure = failure ?? self.failure(result)
        lbx_pg_clear(result)
      }
    }
    if lbx_pg_status(connection) == Int32(LBX_PG_CONNECTION_BAD) { isBroken = true }
    if var failure {
      if isBroken { failure.kind = .connectionLost }
      throw failure
    }
    guard let rows else { throw lost() }
    return rows
  }

  private func next() throws(PostgresError) -> OpaquePointer? {
    try flush()
    while lbx_pg_is_busy(connection) == 1 {
      try wait(POLLIN)
      guard lbx_pg_consume_input(connection) == 1 else {
        // The server's last error, such as 57P01, may have arrived before the connection ended.
        if lbx_pg_is_busy(connection) == 0 { break }
        throw lost()
      }
    }
    return lbx_pg_get_result(connection)
  }

  private func flush() throws(PostgresError) {
    while true {
      switch lbx_pg_flush(connection) {
      case 0: return
      case 1:
        try wait(POLLIN | POLLOUT)
        // The server may not read on until we have read its results.
        _ = lbx_pg_consume_input(connection)
      default: throw lost()
      }
    }
  }

  private func failure(_ result: OpaquePointer) -> PostgresError {
    func field(_ code: UInt8) -> String? {
      lbx_pg_result_error_field(result, Int32(code)).map { String(cString: $0) }
    }
    let message = field(UInt8(ascii: "M")) ?? String(cString: lbx_pg_result_error_message(result))
    guard let state = field(UInt8(ascii: "C")) else { return lost(message) }
    return PostgresError(sqlState: state, message: message)
  }

  private func check(_ outcome: Int32) throws(PostgresError) {
    guard outcome == 1 else { throw lost() }
  }

  private func lost(_ message: String? = nil) -> PostgresError {
    isBroken = true
    return PostgresError(.connectionLost, message ?? errorMessage)
  }

  /// Waits for the socket, up to the deadline.
  private func wait(_ events: Int32) throws(PostgresError) {
    while true {
      let rest = deadline.map { ContinuousClock.now.duration(to: $0) + .milliseconds(1) }
      if let rest, rest < .milliseconds(1) {
        isBroken = true
        throw PostgresError(.timedOut, "the server didn't answer in time")
      }
      if isReady(for: events, within: rest) { return }
    }
  }

  /// Waits until the socket is ready; nil waits without a limit.
  private func isReady(for events: Int32, within limit: Duration?) -> Bool {
    var descriptor = pollfd(fd: lbx_pg_socket(connection), events: Int16(events), revents: 0)
    let milliseconds = limit.map { Int32(clamping: Int64($0 / Duration.milliseconds(1))) }
    return poll(&descriptor, 1, milliseconds ?? -1) > 0
  }
}

// MARK: Notifications

extension PostgresSession {
  /// Waits for a notification, and removes all that have arrived.
  /// - Returns: false if none arrived in time.
  /// - Throws: `connectionLost`.
  func hasNotifications(within limit: Duration) throws(PostgresError) -> Bool {
    if takeNotifications() { return true }
    guard try isReadable(within: limit) else { return false }
    return takeNotifications()
  }

  private func takeNotifications() -> Bool {
    var hasTaken = false
    while lbx_pg_take_notification(connection) == 1 { hasTaken = true }
    return hasTaken
  }

  /// Waits for input, and reads it.
  private func isReadable(within limit: Duration) throws(PostgresError) -> Bool {
    guard isReady(for: POLLIN, within: limit) else { return false }
    guard lbx_pg_consume_input(connection) == 1 else { throw lost() }
    return true
  }
}
