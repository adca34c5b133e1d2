// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A PostgreSQL server in a temporary folder, on a socket only; it ends with this process.
package struct PostgresServer: Sendable {
  /// The server that all tests of this process share, started by the first one.
  private static let running = Task { try await start() }

  /// Why there can't be a server, or nil.
  package static let problem: String? = {
    guard programs != nil else {
      return "PostgreSQL is not installed (Debian: postgresql-15), so its tests are skipped."
    }
    guard geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/sbin/runuser") else {
      return "PostgreSQL doesn't run as root, and there is no runuser, so its tests are skipped."
    }
    return nil
  }()

  private let folder: String

  /// The address of an empty database.
  package static func emptyDatabase() async throws -> String {
    try await database("test-\(UUID().uuidString.lowercased())")
  }

  /// The address of the database with a name, which is made if it isn't there.
  package static func database(_ name: String) async throws -> String {
    let server = try await running.value
    let folder = server.folder
    let end = try await Program(
      ["\(programs ?? "")/createdb", "--host", folder, "--username", "longbox", name]
    ).end()
    guard end.code == 0 || end.errors.contains("already exists") else { throw Failure(text: end.text) }
    return "postgresql:///\(name)?host=\(folder)&user=longbox"
  }

  /// Runs SQL in a database, and returns what `psql` prints, without decoration.
  @discardableResult
  package static func run(_ sql: String, in address: String) async throws -> String {
    let end = try await Program(
      [
        "\(programs ?? "")/psql", "--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1",
        "--command", sql, address,
      ]
    ).end()
    guard end.code == 0 else { throw Failure(text: end.text) }
    return end.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Makes a database refuse connections and lose those it has, or accept connections again.
  package static func set(isAway: Bool, _ address: String) async throws {
    let name = address.dropFirst("postgresql:///".count).prefix { $0 != "?" }
    let other = try await database("others")
    try await run("ALTER DATABASE \"\(name)\" ALLOW_CONNECTIONS \(!isAway)", in: other)
    guard isAway else { return }
    try await run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'",
      in: other
    )
  }

  private struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }

  /// The folder with `initdb` and others, of the newest version.
  private static let programs: String? = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let newest = versions.compactMap { Int($0) }.sorted().last.map { ["/usr/lib/postgresql/\($0)/bin"] } ?? []
    return (newest + ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"]).first {
      FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
    }
  }()

  /// The server may not run as root.
  ///
  /// A child ends it when this process has ended, however that happened.
  private static let script = """
    set -e
    as=
    if [ "$(id -u)" = 0 ]; then as="runuser -u postgres --"; fi
    cd /
    folder=$($as mktemp -d /tmp/longbox-postgres.XXXXXX)
    $as "$0/initdb" --pgdata="$folder/data" --auth=trust --username=longbox --encoding=UTF8 --locale=C --no-sync >/dev/null
    $as "$0/pg_ctl" --pgdata="$folder/data" --wait --silent --log="$folder/log" start --options="-c listen_addresses='' \
      -c unix_socket_directories=$folder -c fsync=off -c max_connections=300" </dev/null >/dev/null
    (
      while kill -0 "$1" 2>/dev/null; do sleep 1; done
      $as "$0/pg_ctl" --pgdata="$folder/data" --mode=immediate stop
      rm -rf "$folder"
    ) </dev/null >/dev/null 2>&1 &
    echo "$folder"
    """

  private static func start() async throws -> PostgresServer {
    if let problem { throw Failure(text: problem) }
    let process = "\(ProcessInfo.processInfo.processIdentifier)"
    let end = try await Program(["/bin/sh", "-c", script, programs ?? "", process]).end()
    guard end.code == 0 else { throw Failure(text: end.text) }
    return PostgresServer(folder: end.output.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
