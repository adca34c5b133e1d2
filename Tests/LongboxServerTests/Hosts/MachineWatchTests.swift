// Longbox
// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport
import Testing

@testable import LongboxServer

@Suite struct `The watch of this machine's names` {
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
