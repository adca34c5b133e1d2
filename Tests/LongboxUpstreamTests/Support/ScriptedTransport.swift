// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream
import Synchronization

/// A transport that sends one reply of a list per request, then the last one again, and records its requests.
final class ScriptedTransport: Sendable {
  enum Step: Sendable {
    case reply(Int, HeaderFields = [:], body: [UInt8] = [])
    case failure(UpstreamError)
  }

  private let steps: [Step]
  private let asked = Mutex<[Exchange]>([])

  init(_ steps: Step...) {
    self.steps = steps
  }

  init(_ steps: [Step]) {
    self.steps = steps
  }

  /// The requests so far.
  var exchanges: [Exchange] { asked.withLock { $0 } }

  var transport: Transport {
    Transport { exchange throws(UpstreamError) in
      let index = self.asked.withLock { asked in
        asked.append(exchange)
        return asked.count - 1
      }
      switch self.steps[min(index, self.steps.count - 1)] {
      case .reply(let status, let headers, body: let body):
        return Reply(status: status, headers: headers, body: body, address: exchange.address)
      case .failure(let error):
        throw error
      }
    }
  }
}

extension Exchange {
  static func sample(
    _ address: WebAddress? = WebAddress("https://xkcd.com/info.0.json"),
    validator: Validator? = nil,
    byteLimit: Int = 1000,
    timeLimit: Duration = .seconds(60)
  ) throws -> Exchange {
    struct NoAddress: Error {}
    guard let address else { throw NoAddress() }
    return Exchange(
      source: .xkcd,
      subject: "comic 7",
      address: address,
      validator: validator,
      byteLimit: byteLimit,
      timeLimit: timeLimit
    )
  }
}

/// Records of made-up comics, in xkcd's format.
enum Records {
  /// A record with all fields.
  static func record(_ number: Int, title: String = "Bread", with more: String = "") -> [UInt8] {
    let text = """
      {"month": "2", "num": \(number), "link": "", "year": "2011", "news": "", "safe_title": "Bread", \
      "transcript": "[[A loaf.]]", "alt": "It rose.", "img": "https://imgs.xkcd.com/comics/bread.png", \
      "title": "\(title)", "day": "9"\(more)}
      """
    return Array(text.utf8)
  }
}
