// Longbox
// SPDX-License-Identifier: MIT

import LongboxStore
import ServiceLifecycle

/// Connects this node with the others on its database, and lets it take part in the election of a leader, until shutdown.
///
/// It starts before ``LeaderServices``, so that it stops after them, and another node leads only then.
struct ClusterService: Service {
  let cluster: Cluster

  func run() async {
    await cancelWhenGracefulShutdown { [cluster] in await cluster.run() }
  }
}
