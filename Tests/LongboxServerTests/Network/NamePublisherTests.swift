// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import TestSupport

@testable import LongboxServer

@Suite(
  "Publishing longbox.local",
  .timeLimit(.minutes(5)),
  .enabled(if: Avahi().path("setpriv") != nil, "setpriv of util-linux is missing")
)
struct NamePublisherTests {
  /// What stands in for `avahi-publish`, and the machine's address.
  private final class Network: Sendable {
    let folder = TemporaryFolder()
    let address = Mutex<String?>("192.168.1.20")
    let recorder = LogRecorder()

    /// - Parameter script: what `avahi-publish` does after it has noted its process and its arguments.
    func publisher(_ script: String) async throws -> NamePublisher {
      let place = folder.url.path
      let program = try await folder.write(
        program: "echo $$ >>'\(place)/processes'\necho \"$@\" >>'\(place)/arguments'\n\(script)",
        to: "avahi-publish"
      ).path
      return publisher(Avahi(isRunning: { true }, path: { $0 == "setpriv" ? Avahi().path($0) : program }))
    }

    func publisher(_ avahi: Avahi) -> NamePublisher {
      NamePublisher(avahi, address: { self.address.withLock { $0 } }, logger: recorder.logger)
    }

    func move(to address: String?) { self.address.withLock { $0 = address } }

    private func lines(_ name: String) -> [String] {
      let text = try? String(contentsOf: folder.path(name), encoding: .utf8)
      return (text ?? "").split(separator: "\n").map { String($0) }
    }

    /// The addresses for which the name was published.
    var published: [String] {
      lines("arguments").map { $0.replacing("--no-fail --address --no-reverse longbox.local ", with: "") }
    }

    /// Whether each of its processes has ended.
    var isOver: Bool {
      let processes = lines("processes").compactMap { Int32($0) }
      return !processes.isEmpty && processes.allSatisfy { kill($0, 0) != 0 && errno == ESRCH }
    }

    var said: [String] { recorder.lines.map { $0.text } }
  }

  private static let fine = "echo \"Established under name '$4'\" >&2; exec sleep 1000"
  private static let collision = """
    echo "Name collision, picking new name 'longbox-2.local'." >&2
    echo "Established under name 'longbox-2.local'" >&2
    exec sleep 1000
    """

  @Test func `gives it the machine's address, also when that changes`() async throws {
    let network = Network()
    let publisher = try await network.publisher(Self.fine)
    #expect(publisher.claimed == "longbox.local" && publisher.established == nil)
    publisher.update()
    await eventually { publisher.established == "longbox.local" }
    publisher.update()
    network.move(to: "192.168.1.52")
    publisher.update()
    await eventually { network.published == ["192.168.1.20", "192.168.1.52"] }
    await eventually { publisher.established == "longbox.local" }
    network.move(to: nil)
    publisher.update()
    #expect(publisher.established == nil)
    await eventually { network.isOver }
    await eventually { network.said.count == 2 }
    #expect(Set(network.said) == ["Other devices find Longbox as longbox.local, too."])
  }

  @Test func `ends with the server`() async throws {
    let network = Network()
    let publisher = try await network.publisher(Self.fine)
    let group = ServiceGroup(configuration: .init(services: [publisher], logger: .silent))
    async let running: Void = group.run()
    await eventually { publisher.established != nil }
    await group.triggerGracefulShutdown()
    try await running
    #expect(publisher.established == nil)
    await eventually { network.isOver }
  }

  @Test func `leaves it to another machine that has it`() async throws {
    let network = Network()
    let publisher = try await network.publisher(Self.collision)
    publisher.update()
    await eventually { !network.said.isEmpty }
    await eventually { network.isOver }
    for _ in 0..<5 { publisher.update() }
    #expect(publisher.claimed == nil && publisher.established == nil)
    #expect(network.said.count == 1)
    #expect(network.said.first?.hasPrefix("Another machine in the network is longbox.local.") == true)
    // With another address it may be in another network.
    network.move(to: "10.0.0.7")
    publisher.update()
    await eventually { network.said.count == 2 }
    #expect(network.published == ["192.168.1.20", "10.0.0.7"])
  }

  @Test func `is given up when the program keeps failing`() async throws {
    let network = Network()
    let publisher = try await network.publisher("echo 'Daemon connection failed' >&2; exit 1")
    await eventually {
      publisher.update()
      return !network.said.isEmpty
    }
    for _ in 0..<5 { publisher.update() }
    #expect(publisher.claimed == nil && publisher.established == nil)
    #expect(network.said.count == 1 && network.said[0].contains("avahi-publish has ended with exit code 1"))
    network.move(to: "10.0.0.7")
    publisher.update()
    await eventually { network.published.count == 4 }
    #expect(network.published == Array(repeating: "192.168.1.20", count: 3) + ["10.0.0.7"])
  }

  @Test func `goes on after the program was killed`() async throws {
    let network = Network()
    let mark = "'\(network.folder.url.path)/was-killed'"
    let first = "[ -e \(mark) ] || { touch \(mark); kill -9 $$; }"
    let publisher = try await network.publisher("\(first)\n\(Self.fine)")
    await eventually {
      publisher.update()
      return publisher.established != nil
    }
    #expect(network.published.count == 2)
    network.move(to: nil)
    publisher.update()
    await eventually { network.isOver }
  }

  @Test func `gives the program no open file of the server`() async throws {
    let network = Network()
    let null = open("/dev/null", O_RDONLY)
    let file = fcntl(null, F_DUPFD, 200)
    defer { for number in [null, file] { close(number) } }
    #expect(file >= 200)
    let mark = network.folder.path("inherited")
    let publisher = try await network.publisher(
      "[ ! -e /proc/$$/fd/\(file) ] || touch '\(mark.path)'\n\(Self.fine)"
    )
    publisher.update()
    await eventually { publisher.established != nil }
    #expect(!FileManager.default.fileExists(atPath: mark.path))
    network.move(to: nil)
    publisher.update()
    await eventually { network.isOver }
  }

  @Test func `says once which program is missing`() async throws {
    let network = Network()
    let publisher = network.publisher(Avahi(isRunning: { true }, path: { _ in nil }))
    for _ in 0..<3 { publisher.update() }
    #expect(publisher.claimed == nil && publisher.established == nil)
    #expect(network.said.count == 1 && network.said[0].contains("avahi-publish is missing"))
    #expect(network.said[0].contains("avahi-utils"))
  }

  @Test func `says nothing without Avahi`() async throws {
    let network = Network()
    let publisher = network.publisher(Avahi(isRunning: { false }, path: { _ in nil }))
    publisher.update()
    #expect(publisher.claimed == nil && publisher.established == nil && network.said.isEmpty)
  }
}

@Suite("The watch of this machine's names") struct MachineNamesTests {
  @Test func `answers with the old ones while it reads new ones`() {
    let time = SettableTime()
    let itself = Mutex<MachineNamesCache?>(nil)
    let seen = Mutex<[MachineNames]>([])
    let watch = MachineNamesCache(
      [],
      claimed: {
        guard let watch = itself.withLock({ $0 }) else { return nil }
        let names = watch.current
        seen.withLock { $0.append(names) }
        return "new.local"
      },
      now: { time.now }
    )
    let old = watch.current
    itself.withLock { $0 = watch }
    time.advance(by: 29)
    #expect(watch.current == old)
    time.advance(by: 1)
    #expect(watch.current.claimed == "new.local")
    #expect(seen.withLock { $0 } == [old])
    #expect(watch.current.claimed == "new.local")
    itself.withLock { $0 = nil }
  }
}
