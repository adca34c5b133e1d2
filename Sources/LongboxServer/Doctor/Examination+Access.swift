// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxPush
import LongboxReaders
import LongboxStore
import SwiftASN1
import X509

extension Examination {
  /// The remaining days below which there is a warning: for the operator's certificate, and for the household's authority.
  private static let (fewDays, fewDaysOfAuthority) = (14, 90)

  /// Checks that HTTPS has a valid certificate.
  func examineCertificates() -> Finding {
    if settings.isLoopback {
      return .ok(.certificates, "No HTTPS is needed: only this machine reaches the server.")
    }
    switch settings.tls {
    case .off:
      guard settings.trustedProxies.isEmpty else { return .ok(.certificates, "The proxy provides HTTPS.") }
      return .warning(
        .certificates,
        "HTTPS is off: passphrases cross the network unencrypted.",
        "Set LONGBOX_TLS=auto, or put a proxy with HTTPS in front and list it in LONGBOX_TRUSTED_PROXIES."
      )
    case .household(let folder):
      do {
        guard let authority = try HouseholdAuthority.stored(in: folder) else {
          return .ok(.certificates, "The server creates the household's authority when it starts.")
        }
        return validity(
          of: authority.certificate,
          named: "household's authority",
          few: Self.fewDaysOfAuthority,
          advice:
            "Move the folder \(folder.path) away, and run “longbox setup”. Then trust the new authority on all devices."
        )
      } catch {
        return .problem(.certificates, "The household's authority can't be used.", "\(error)")
      }
    case .files(let file, let key):
      do {
        guard FileManager.default.isReadableFile(atPath: key.path) else {
          return .problem(
            .certificates,
            "The key \(key.path) can't be read.",
            "Let the user that runs Longbox read it."
          )
        }
        let documents = try PEMDocument.parseMultiple(pemString: String(contentsOf: file, encoding: .utf8))
        guard let first = documents.first else { throw TLSError(description: "It is empty.") }
        return validity(
          of: try Certificate(pemDocument: first),
          named: "certificate",
          few: Self.fewDays,
          advice: "Renew it; the server reads \(file.path) again by itself."
        )
      } catch {
        return .problem(
          .certificates,
          "The certificate \(file.path) can't be read (\(error)).",
          "It must be a PEM file that the user that runs Longbox may read."
        )
      }
    }
  }

  private func validity(of certificate: Certificate, named name: String, few: Int, advice: String) -> Finding
  {
    guard certificate.notValidBefore <= now() else {
      return .problem(
        .certificates,
        "The \(name) is not valid yet.",
        "Check the clock; it is valid from \(certificate.notValidBefore.spelledInUTC)."
      )
    }
    let days = Int((certificate.notValidAfter.timeIntervalSince(now()) / 86_400).rounded(.down))
    guard days >= 0 else { return .problem(.certificates, "The \(name) has expired.", advice) }
    let text = "The \(name) is valid for \(Self.counted(days, "more day"))."
    return days < few ? .warning(.certificates, text, advice) : .ok(.certificates, text)
  }

  /// Checks that the key for notifications and the passphrase exist.
  func examineKeys(
    _ usage: Result<StoreUsage?, StoreError>,
    _ access: Result<StoredAccess?, StoreError>
  ) -> Finding {
    let hasPushKey: Bool
    do {
      hasPushKey = try VAPIDKeys.stored(in: folder) != nil
    } catch {
      return .problem(.keys, "The key for notifications can't be used.", "\(error)")
    }
    if !hasPushKey, case .success(let usage?) = usage, usage.subscriptions > 0 {
      return .problem(
        .keys,
        "The key for notifications is missing, so no browser can be notified.",
        "Put back \(VAPIDKeys.fileName) from a backup. With a new key, all readers must subscribe again."
      )
    }
    let needsPassphrase = !settings.isLoopback && !settings.isOpen
    if needsPassphrase {
      guard case .success(let access) = access else {
        return Self.unreadable("The passphrase can't be checked")
      }
      guard access?.passphrase != nil else {
        return .problem(
          .keys,
          "There is no passphrase, so the server doesn't start.",
          "Choose one: longbox passphrase"
        )
      }
    }
    if !hasPushKey, case .failure = usage {
      return Self.unreadable("Whether a key for notifications is missing can't be checked")
    }
    return .ok(.keys, needsPassphrase ? "The keys and the passphrase are there." : "The keys are there.")
  }

  private static func unreadable(_ text: String) -> Finding {
    .warning(.keys, "\(text), because the store can't be read.", "Do first what is advised for the store.")
  }

  /// Checks that push services take the operator's contact.
  func examineContact() -> Finding {
    guard let contact = settings.contact else {
      return .ok(
        .contact,
        "Push services get no contact.",
        "Apple's takes no messages without one, so iPhones get no notifications: set LONGBOX_CONTACT to your e-mail address."
      )
    }
    if let problem = contact.problem { return .warning(.contact, problem.text, problem.advice) }
    return .ok(.contact, "Push services take the contact.")
  }

  /// Checks whether notifications arrive.
  func examineSubscriptions(_ usage: StoreUsage) -> Finding {
    let verb = usage.subscriptions == 1 ? "is" : "are"
    let text = "\(Self.counted(usage.subscriptions, "browser")) \(verb) notified of new comics"
    guard usage.failingSubscriptions > 0 else { return .ok(.subscriptions, "\(text).") }
    return .warning(
      .subscriptions,
      "\(text); the last message to \(usage.failingSubscriptions) of them failed.",
      "See why: longbox subscriptions. They are tried again, and removed if their push service says that they are gone."
    )
  }

  /// Tells of requests whose `Host` is not a name of the server: perhaps of readers who can't reach it by that name.
  func examineNames(_ refused: RefusedHosts) -> Finding {
    let were = refused.count == 1 ? "was" : "were"
    let text = "\(Self.counted(refused.count, "request")) \(were) refused since the server started: "
    guard let line = HostNames.line(adding: refused.last, to: settings.hostNames) else {
      return .warning(
        .names,
        text + "the name in the last one can't be one of a server.",
        "Names have letters, digits, hyphens and dots. Check what readers type, and what a proxy passes on as Host."
      )
    }
    return .warning(
      .names,
      text + "the last one called the server “\(refused.last)”, which isn't one of its names.",
      "If that name should lead to it, add this line to the settings, and start the server again: \(line)"
    )
  }
}
