// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

#if canImport(Glibc)
import CSpawn
#endif

/// A running program whose standard input and output are a socket to this process.
///
/// It is started by posix_spawn(3), because Foundation's `Process` crashes in a process with more than a thousand open
/// files. The connection is a socket, because a write to a pipe without a reader would end this process by SIGPIPE.
///
/// Calls block, so don't make them on the cooperative pool.
package final class ChildProcess: Sendable {
  package enum Fault: Error, Equatable {
    /// The system can't start the program; the number is that of errno(3).
    case cannotStart(CInt)
    /// The program has ended, or has closed its output.
    case closed
    /// The deadline has passed.
    case timedOut
  }

  package enum End: Equatable, Sendable {
    case exited(code: CInt)
    case signalled(CInt)
    case unknown
  }

  /// The process's number; another process may have it after ``end()``.
  let identifier: pid_t
  private let socket: CInt
  /// How it ended; nil while it runs, or has ended unnoticed.
  private let ending = Mutex<End?>(nil)

  /// Starts a program.
  ///
  /// It inherits no open files but standard error.
  /// - Parameters:
  ///   - program: its path.
  ///   - arguments: what follows its path on the command line.
  ///   - environment: all its environment variables.
  ///   - sendsErrors: whether its standard error goes to the socket, too; otherwise it inherits them.
  package init(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String],
    sendsErrors: Bool = false
  ) throws(Fault) {
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, Self.streamType, 0, &ends) == 0 else { throw .cannotStart(errno) }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    do throws(Fault) {
      var files = [STDIN_FILENO, STDOUT_FILENO]
      if sendsErrors { files.append(STDERR_FILENO) }
      identifier = try Self.spawn([program] + arguments, environment, files, over: ends[1])
    } catch {
      close(ends[0])
      throw error
    }
    socket = ends[0]
  }

  deinit {
    end()
    close(socket)
  }

  /// Whether the process runs.
  var isRunning: Bool {
    ending.withLock { ending in
      var status: CInt = 0
      guard ending == nil, waitpid(identifier, &status, WNOHANG) == identifier else { return ending == nil }
      ending = End(status: status)
      return false
    }
  }

  /// Kills the process, without waiting for its end.
  package func kill() {
    ending.withLock { ending in
      if ending == nil { _ = Foundation.kill(identifier, SIGKILL) }
    }
  }

  /// Kills the process if it still runs, and waits for its end.
  @discardableResult
  package func end() -> End {
    ending.withLock { ending in
      if let ending { return ending }
      _ = Foundation.kill(identifier, SIGKILL)
      var status: CInt = 0
      var result: pid_t
      repeat { result = waitpid(identifier, &status, 0) } while result < 0 && errno == EINTR
      let found = result == identifier ? End(status: status) : .unknown
      ending = found
      return found
    }
  }

  /// Sends bytes to the program's standard input.
  func send(_ bytes: [UInt8], before deadline: ContinuousClock.Instant) throws(Fault) {
    var sent = 0
    while sent < bytes.count {
      let (count, number) = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        return (Foundation.send(socket, rest.baseAddress, rest.count, Self.sendFlags), errno)
      }
      if count > 0 { sent += count } else { try wait(for: POLLOUT, after: number, before: deadline) }
    }
  }

  /// Receives bytes from the program's standard output.
  /// - Parameters:
  ///   - count: how many; it waits for all of them.
  ///   - deadline: when to give up.
  package func receive(_ count: Int, before deadline: ContinuousClock.Instant) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let (more, number) = bytes.withUnsafeMutableBytes { bytes in
        let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[received...])
        return (recv(socket, rest.baseAddress, rest.count, 0), errno)
      }
      guard more != 0 else { throw .closed }
      if more > 0 { received += more } else { try wait(for: POLLIN, after: number, before: deadline) }
    }
    return bytes
  }

  /// Waits until a call can be repeated.
  /// - Parameters:
  ///   - event: what to wait for.
  ///   - number: why the call failed, as errno(3).
  ///   - deadline: when to give up.
  private func wait(
    for event: CInt,
    after number: CInt,
    before deadline: ContinuousClock.Instant
  ) throws(Fault) {
    guard [EAGAIN, EWOULDBLOCK, EINTR].contains(number) else { throw .closed }
    let left = deadline - .now
    guard left > .zero else { throw .timedOut }
    var state = pollfd(fd: socket, events: Int16(truncatingIfNeeded: event), revents: 0)
    // The result doesn't matter: the caller repeats its call, and comes back here if that would still block.
    _ = poll(&state, 1, CInt(min(left / .milliseconds(1), 1e9).rounded(.up)))
  }
}

extension ChildProcess.End: CustomStringConvertible {
  /// The status of waitpid(2).
  fileprivate init(status: CInt) {
    self = status & 0x7F == 0 ? .exited(code: status >> 8 & 0xFF) : .signalled(status & 0x7F)
  }

  /// Whether it was ended by something else than a crash: a command, a lack of memory, or the limit of processor time.
  var isFromOutside: Bool {
    [.signalled(SIGKILL), .signalled(SIGTERM), .signalled(SIGINT), .signalled(SIGHUP)].contains(self)
  }

  /// How it ended, after the program's name.
  package var description: String {
    switch self {
    case .exited(let code): "has ended with exit code \(code)"
    case .signalled(let number): "was ended by signal \(number)"
    case .unknown: "has ended"
    }
  }
}

extension ChildProcess {
  #if canImport(Glibc)
  fileprivate static var streamType: CInt { CInt(SOCK_STREAM.rawValue) }
  #else
  fileprivate static var streamType: CInt { SOCK_STREAM }
  #endif

  #if canImport(Darwin)
  // There is no such flag; NIO ignores the signal.
  fileprivate static var sendFlags: CInt { 0 }
  #else
  /// No SIGPIPE if the program has ended.
  fileprivate static var sendFlags: CInt { CInt(MSG_NOSIGNAL) }
  #endif

  /// Starts a program with one file in place of its standard ones.
  /// - Parameters:
  ///   - words: its path and its arguments.
  ///   - environment: all its environment variables.
  ///   - standard: which of input, output and errors; it inherits the others, and no further files.
  ///   - file: the file.
  fileprivate static func spawn(
    _ words: [String],
    _ environment: [String: String],
    _ standard: [CInt],
    over file: CInt
  ) throws(Fault) -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for number in standard { posix_spawn_file_actions_adddup2(&actions, file, number) }
    // A group of its own: Ctrl-C in a terminal is for the server, which finishes what is under way.
    var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setpgroup(&attributes, 0)
    #if canImport(Darwin)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    if !standard.contains(STDERR_FILENO) { posix_spawn_file_actions_addinherit_np(&actions, STDERR_FILENO) }
    #elseif canImport(Glibc)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    #endif
    // The server ignores some signals and threads block others; the program would inherit both.
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGQUIT] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var identifier: pid_t = 0
    let number = posix_spawn(&identifier, words[0], &actions, &attributes, arguments, variables)
    guard number == 0 else { throw .cannotStart(number) }
    return identifier
  }
}
