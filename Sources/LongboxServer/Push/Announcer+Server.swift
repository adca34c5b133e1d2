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
  /// Creates a server's announcer, whose notifications show thumbnails from this server.
  init(
    catalog: Catalog,
    store: Store,
    sender: PushSender,
    rejections: RejectionLog,
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
      rejections: rejections,
      logger: logger,
      now: now
    )
  }
}
