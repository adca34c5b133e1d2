// Longbox
// SPDX-License-Identifier: MIT

import NIOSSL
import PushTestSupport
import Testing

@testable import LongboxPush

/// Messages go only to a service with a valid certificate.
@Suite(.timeLimit(.minutes(10))) struct CertificateTests {
  private let browser = FakeBrowser()

  /// A self-signed certificate for `localhost`, valid until 2126, and its key; for these tests only.
  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBljCCATugAwIBAgIUSOYE/EjQVT7ifQNRi5b0smjjqmQwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAxMjIwNloYDzIxMjYxMDI5
    MDEyMjA2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAARSONIzGtUOynyLDQfsLMcSSjwjwqTfbwZK55zlqGHkdO6lVGd1O95T
    TrjyRF8UrSIPB7WZ0zeRrozpn15wVic9o2kwZzAdBgNVHQ4EFgQUnPj0CFYDvi1U
    LtX0Gt9g1tMtmfowHwYDVR0jBBgwFoAUnPj0CFYDvi1ULtX0Gt9g1tMtmfowDwYD
    VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
    SQAwRgIhAPxF0UO/r/1nxfHp6jhmNKx3+VagB4d5QeHFttIV7RNGAiEA3dJIgNcf
    GWDxi1yOMCYNManfuvZtBpNssbzhi9H6izk=
    -----END CERTIFICATE-----
    """
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrw63aHD53Ax5g7FB
    XEEz+RqO3ZaZmLBsKnw4FzplztOhRANCAARSONIzGtUOynyLDQfsLMcSSjwjwqTf
    bwZK55zlqGHkdO6lVGd1O95TTrjyRF8UrSIPB7WZ0zeRrozpn15wVic9
    -----END PRIVATE KEY-----
    """

  private func roots() throws -> NIOSSLTrustRoots {
    .certificates([try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem)])
  }

  /// Sends a message to a service that has the certificate.
  /// - Parameters:
  ///   - host: the host name to connect to.
  ///   - roots: the trusted certificates.
  private func send(calling host: String, trusting roots: NIOSSLTrustRoots) async throws -> (
    DeliveryResult.Outcome, messages: Int
  ) {
    let configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [
        .certificate(try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem))
      ],
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(Self.key.utf8), format: .pem))
    )
    return try await FakePushService.run(encryption: NIOSSLContext(configuration: configuration)) {
      service async throws in
      let origin = try #require(PushEndpoint.Origin("https://\(host):\(service.port)"))
      var sender = PushSender(keys: VAPIDKeys(), trusting: [origin])
      sender.trustRoots = roots
      let endpoint = try sender.endpoint("\(origin)/send/1")
      let keys = try SubscriberKeys(publicKey: browser.publicKey, secret: browser.secret)
      let outcome = try await sender.withService(at: origin) { connections in
        await connections.send(Message(to: endpoint, keys, text: [1], timeToLive: 1))
      }
      return (outcome, service.messages.count)
    }
  }

  @Test func `gets messages if its certificate is valid`() async throws {
    let (outcome, messages) = try await send(calling: "localhost", trusting: roots())
    #expect(outcome == .delivered)
    #expect(messages == 1)
  }

  @Test func `gets nothing if its certificate is not trusted`() async throws {
    let (outcome, messages) = try await send(calling: "localhost", trusting: .default)
    guard case .unanswered(let reason) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.hasPrefix("The push service can’t be reached: its certificate isn’t trusted"))
    #expect(messages == 0)
  }

  @Test func `gets nothing if its certificate is for another host`() async throws {
    let (outcome, messages) = try await send(calling: "127.0.0.1", trusting: roots())
    guard case .unanswered(let reason) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.contains("one of another name"))
    #expect(messages == 0)
  }
}
