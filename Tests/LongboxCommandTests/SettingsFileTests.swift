// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxPush
import LongboxServer
import LongboxStore
import LongboxUpstream
import TestSupport
import Testing

@testable import longbox

@Suite("Settings in files") struct SettingsFileTests {
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

  @Test(arguments: ["hooks: discord://1/TOKEN: x", "hooks: [discord://1/TOKEN", "TOKEN"])
  func `a file that isn't YAML is named without its secrets`(line: String) async throws {
    try write("port: 9000", line, to: "machine.yaml")
    let error = try #require(await #expect(throws: SettingsError.self) { _ = try await read() })
    #expect(
      error.description.contains(folder.path("machine.yaml").path) && error.description.contains("line ")
    )
    #expect(!error.description.contains("TOKEN"))
  }

  @Test(arguments: ["0", "-1", "1e-300", "1e300", "nan", "inf"])
  func `a rate or a pause out of range is an error`(number: String) async throws {
    for line in [
      "xkcd:\n  rate: \(number)", "explain:\n  rate: \(number)", "itunes:\n  rate: \(number)",
      "poll: \(number)",
    ] {
      try write("data: \(folder.path("data").path)", line, to: "machine.yaml")
      await #expect(throws: SettingsError.self) { try await read() }
    }
  }

  @Test func `sources are asked no faster than they allow, unless something replaces them`() async throws {
    let data = "data: \(folder.path("data").path)"
    for (key, most, more) in [("xkcd", "2", "2.5"), ("explain", "0.5", "1"), ("itunes", "15", "16")] {
      try write(data, "\(key):", "  rate: \(most)", to: "machine.yaml")
      _ = try await read()
      try write(data, "\(key):", "  rate: \(more)", to: "machine.yaml")
      await #expect(performing: { try await read() }, throws: { "\($0)".contains("at most \(most)") })
    }
    try write(data, "xkcd:", "  rate: 50", "  url: http://xkcd.com:8080", to: "machine.yaml")
    await #expect(throws: SettingsError.self) { try await read() }
    let fake = "http://127.0.0.1:1"
    try write(
      data,
      "xkcd:",
      "  rate: 50",
      "  url: \(fake)",
      "  images:",
      "    url: \(fake)",
      to: "machine.yaml"
    )
    #expect(try await read().pace.interval == .milliseconds(20))
  }

  @Test func `a file that can't be read is named`() async throws {
    try write("data: [", to: "machine.yaml")
    let file = folder.path("machine.yaml").path
    await #expect(performing: { try await read() }, throws: { "\($0)".contains(file) })
  }

  @Test func `a list may be a text with commas or a list of YAML`() async throws {
    try write("hostNames: a.lan, b.lan", "trustedProxies:", "- 10.0.0.2", "- 10.1.0.0/16", to: "machine.yaml")
    let settings = try await read("--data", folder.path("data").path)
    #expect(settings.hostNames == ["a.lan", "b.lan"])
    var proxies = TrustedProxies()
    #expect(proxies.add("10.0.0.2") && proxies.add("10.1.0.0/16"))
    #expect(settings.trustedProxies == proxies)
  }

  @Test func `sites that may have frames are a text or a list, and a wrong one is named`() async throws {
    let data = ("--data", folder.path("data").path)
    var sites = FrameAncestors()
    #expect(sites.add("https://dash.lan") && sites.add("http://10.0.0.2:8123"))
    try write("frameAncestors: https://dash.lan, http://10.0.0.2:8123", to: "machine.yaml")
    #expect(try await read(data.0, data.1).frameAncestors == sites)
    try write("frameAncestors:", "- https://dash.lan", "- http://10.0.0.2:8123", to: "machine.yaml")
    #expect(try await read(data.0, data.1).frameAncestors == sites)
    try write("port: 8000", to: "machine.yaml")
    #expect(try await read(data.0, data.1).frameAncestors == FrameAncestors())
    try write("frameAncestors: https://dash.lan,dash.local", to: "machine.yaml")
    await #expect(
      performing: { try await read(data.0, data.1) },
      throws: { "\($0)".contains("LONGBOX_FRAME_ANCESTORS") && "\($0)".contains("dash.local") }
    )
  }

  @Test func `hooks may be a text or a list, each once, and a wrong one is named without its secrets`()
    async throws
  {
    let data = ("--data", folder.path("data").path)
    try write("hooks: ntfys://host/a, discord://41/token", to: "machine.yaml")
    #expect(
      try await read(data.0, data.1).hooks?.hooks.map(\.name) == ["ntfy at host", "Discord at discord.com"]
    )
    try write("hooks:", "- ntfys://host/a", "- ntfys://host/b", "- ntfys://host/a", to: "machine.yaml")
    #expect(try await read(data.0, data.1).hooks?.hooks.count == 2)
    try write("port: 8000", to: "machine.yaml")
    #expect(try await read(data.0, data.1).hooks == nil)
    for line in [
      "hooks: ntfys://host/a,slack://hidden", "hooks: hidden://host/a", "hooksSecret: hidden",
      "hooksAltText: maybe",
      "hooks: " + (1...21).map { "ntfys://host/hidden\($0)" }.joined(separator: ","),
    ] {
      try write(line, to: "machine.yaml")
      await #expect(
        performing: { try await read(data.0, data.1) },
        throws: { $0 is SettingsError && !"\($0)".contains("hidden") }
      )
    }
  }

  @Test func `the set-up keeps other settings, and changes its own each time`() async throws {
    try write(
      "# The household's.",
      "database: postgresql://longbox@db/longbox",
      "xkcd:",
      "  rate: 1",
      "hostNames:",
      "- old.lan",
      "# Its other name.",
      "- older.lan",
      "",
      "host: 127.0.0.1",
      to: "data/longbox.yaml"
    )
    let data = folder.path("data").path
    try await read("--data", data).writeSetup(names: ["box.lan"])
    let text = """
      # The household's.
      database: postgresql://longbox@db/longbox
      xkcd:
        rate: 1
      # Its other name.
      host: "0.0.0.0"
      hostNames: "box.lan"
      port: "8353"
      tls: "auto"

      """
    #expect(try String(contentsOf: folder.path("data/longbox.yaml"), encoding: .utf8) == text)
    try await read("--data", data).writeSetup(names: ["box.lan"])
    #expect(try String(contentsOf: folder.path("data/longbox.yaml"), encoding: .utf8) == text)
    let settings = try await read("--data", data)
    #expect(settings.host == "0.0.0.0" && settings.hostNames == ["box.lan"])
    #expect(settings.store.database != nil)
  }

  @Test func `the set-up leaves a file alone that it can't change`() async throws {
    let text = "{port: 9000}"
    try write(text, to: "data/longbox.yaml")
    let settings = try await read("--data", folder.path("data").path)
    #expect(
      performing: { try settings.writeSetup(names: []) },
      throws: { "\($0)".contains("port: \"9000\"") }
    )
    #expect(try String(contentsOf: folder.path("data/longbox.yaml"), encoding: .utf8) == text)
  }
}
