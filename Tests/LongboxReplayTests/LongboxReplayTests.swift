// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import HummingbirdTesting
import HTTPTypes
import Testing

@testable import longbox_replay
