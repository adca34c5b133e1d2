// Longbox
// SPDX-License-Identifier: MIT

import LongboxStore
import ServiceLifecycle

/// Connects this node with the others on its database until shutdown, and takes part in electing the leader.
///
/// It starts before ``LeaderServices`` and so stops after it: another node can lead only after those services have ended.
struct ClusterService: Service {
  let cluster: Cluster

  func run() async {
    await cancelWhenGracefulShutdown { [cluster] in await cluster.run() }
  }
}
