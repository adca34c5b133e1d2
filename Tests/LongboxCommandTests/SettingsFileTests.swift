// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import longbox

@Suite struct `Settings in files` {
  private let folder = TemporaryFolder()

  private func read(_ arguments: String...) async throws -> Settings {
    try await Settings.read(
      try Options.parse(arguments),
      machineFile: folder.path("machine.yaml").path
    )
  }

  private func write(_ lines: String..., to name: String) throws {
    try folder.write(Array(lines.joined(separator: "\n").utf8), to: name)
  }

  @Test func `a machine's file names the data folder, and the file there counts before it`() async throws {
    let data = folder.path("data").path
    try write("data: \(data)", "port: 8000", "contact: me@example.org", to: "machine.yaml")
    let first = try await read()
    #expect(first.data.path == data && first.port == 8000 && first.contact == "me@example.org")
    try write("port: 9000", to: "data/longbox.yaml")
    let second = try await read()
    #expect(second.data.path == data && second.port == 9000 && second.contact == "me@example.org")
  }

  @Test func `options count before all files`() async throws {
    try write("data: /nowhere", "contact: me@example.org", to: "machine.yaml")
    let settings = try await read("--data", folder.path("other").path, "--contact", "you@example.org")
    #expect(settings.data.path == folder.path("other").path && settings.contact == "you@example.org")
  }

  @Test func `a file that is named is the only one`() async throws {
    try write("data: /nowhere", "contact: me@example.org", to: "machine.yaml")
    try write("port: 9000", to: "data/longbox.yaml")
    try write("host: 127.0.0.9", to: "named.yaml")
    let settings = try await read(
      "--config",
      folder.path("named.yaml").path,
      "--data",
      folder.path("data").path
    )
    #expect(settings.port == 8353 && settings.contact == nil && settings.host == "127.0.0.9")
  }

  @Test func `a file that can't be read is named`() async throws {
    try write("data: [", to: "machine.yaml")
    let file = folder.path("machine.yaml").path
    await #expect(performing: { try await read() }, throws: { "\($0)".contains(file) })
  }
}
