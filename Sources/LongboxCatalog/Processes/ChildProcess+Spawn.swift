// Longbox
// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Glibc)
import CSpawn
#endif

extension ChildProcess {
  #if canImport(Glibc)
  static var streamType: CInt { CInt(SOCK_STREAM.rawValue) }
  #else
  static var streamType: CInt { SOCK_STREAM }
  #endif

  #if canImport(Darwin)
  // There is no such flag; NIO ignores the signal.
  static var sendFlags: CInt { 0 }
  #else
  /// No SIGPIPE if the program has ended.
  static var sendFlags: CInt { CInt(MSG_NOSIGNAL) }
  #endif

  /// Starts a program with one file in place of its standard ones.
  /// - Parameters:
  ///   - words: its path and its arguments.
  ///   - environment: all its environment variables.
  ///   - standard: which of input, output and errors; it inherits the others, and no further files.
  ///   - file: the file.
  static func spawn(
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
