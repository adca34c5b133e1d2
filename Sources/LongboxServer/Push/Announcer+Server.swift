// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxPush
import LongboxReaders
import LongboxStore

extension Announcer {
  /// The announcer of a server: its notifications show pictures from the server's own addresses.
  init(
    catalog: Catalog,
    store: Store,
    sender: PushSender,
    refusals: RefusalLog,
    logger: Logger,
    now: @escaping @Sendable () -> Date
  ) {
    self.init(
      catalog: catalog,
      store: store,
      sender: sender,
      thumbnail: { comic in
        comic.picture.map { Link.thumbnail(comic.number, version: $0.versionText).address.description }
      },
      refusals: refusals,
      logger: logger,
      now: now
    )
  }
}
