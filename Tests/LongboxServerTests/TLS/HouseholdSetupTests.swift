// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LongboxServer

@Suite(.timeLimit(.minutes(5))) struct `Setting up for a phone` {
  private let folder = TemporaryFolder()
  private let machine = MachineNames(
    machine: "box",
    names: ["box.local", "box", "localhost"],
    addresses: [[192, 168, 1, 20]]
  )

  /// - Parameters:
  ///   - script: what stands in for `avahi-resolve`.
  ///   - limit: the maximum wait for it, by default one that even a busy machine keeps.
  private func setup(_ script: String, within limit: Duration = .seconds(60)) async throws -> HouseholdSetup {
    let program = try await folder.write(program: script, to: "avahi-resolve").path
    let avahi = Avahi(isRunning: { true }, path: { $0 == "avahi-resolve" ? program : "/bin/true" })
    var setup = try HouseholdSetup(in: folder.url, hostNames: [], at: Date(), machine, avahi)
    #expect(setup.hosts == ["box.local", "longbox.local", "192.168.1.20"])
    await setup.checkName(within: limit)
    return setup
  }

  @Test func `leaves out the name that another machine has`() async throws {
    let setup = try await setup(
      #"[ "$*" = "-4 --name longbox.local" ] && printf 'longbox.local\t192.168.1.9\n'"#
    )
    #expect(setup.takenName == "longbox.local")
    #expect(setup.hosts == ["box.local", "192.168.1.20"])
  }

  @Test(arguments: [
    #"printf 'longbox.local\t192.168.1.20\n'"#,
    "echo \"Failed to resolve host name 'longbox.local': Timeout reached\" >&2; exit 1",
  ])
  func `offers the name if it is this machine's, or no machine's`(script: String) async throws {
    let setup = try await setup(script)
    #expect(setup.takenName == nil)
    #expect(setup.hosts == ["box.local", "longbox.local", "192.168.1.20"])
  }

  @Test func `offers the name if there is no answer in time`() async throws {
    let setup = try await setup("exec sleep 1000", within: .milliseconds(200))
    #expect(setup.takenName == nil)
    #expect(setup.hosts == ["box.local", "longbox.local", "192.168.1.20"])
  }
}
