import Foundation
import LivetapeServer
import SocketServer
import SocketTransport
import VenueCatalogue

/// Tokens and keys, from files and the environment.
///
/// Never from the command line, which every user of the machine can read. A process with a secret
/// leaves no core dump.
enum Secrets {
  private static var environment: [String: String] { ProcessInfo.processInfo.environment }

  /// `LIVETAPE_BUX_TOKEN`; throws a ``CommandFailure`` if invalid.
  static func buxToken() throws -> AccessToken? {
    guard let text = environment["LIVETAPE_BUX_TOKEN"], !text.isEmpty else { return nil }
    guard let token = AccessToken(text) else {
      throw CommandFailure("LIVETAPE_BUX_TOKEN holds characters that can't be sent")
    }
    forbidCoreDumps()
    return token
  }

  /// The token in a file or in an environment variable, `LIVETAPE_ACCESS_TOKEN`,
  /// `LIVETAPE_VIEWER_TOKEN` or `LIVETAPE_ALERT_SECRET`; the file takes precedence.
  ///
  /// Throws a ``CommandFailure`` if it is unreadable or invalid.
  static func pageToken(file: String?, variable: String) throws -> PageToken? {
    let text: String?
    if let file {
      guard let read = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw CommandFailure("\(file) can't be read")
      }
      text = read
    } else {
      text = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let text else { return nil }
    forbidCoreDumps()
    do {
      return try PageToken(text)
    } catch {
      throw CommandFailure(error.description)
    }
  }

  /// The webhook of alerts, whose secret is in a file or in `LIVETAPE_ALERT_SECRET`; the file
  /// takes precedence.
  ///
  /// Throws a ``CommandFailure`` if the address is invalid, or the secret missing, unreadable or
  /// invalid.
  static func webhook(_ url: String, secretFile: String?) throws -> AlertWebhook {
    let endpoint: Endpoint
    do {
      endpoint = try Endpoint(url)
    } catch {
      throw CommandFailure("--alert-webhook: \(error.description)")
    }
    let secret: PageToken?
    do {
      secret = try pageToken(file: secretFile, variable: "LIVETAPE_ALERT_SECRET")
    } catch let failure as CommandFailure {
      throw CommandFailure("the secret of --alert-webhook: \(failure.message)")
    }
    guard let secret else {
      throw CommandFailure(
        "--alert-webhook needs a secret: give one with --alert-secret-file FILE or "
          + "LIVETAPE_ALERT_SECRET")
    }
    guard let webhook = AlertWebhook(endpoint, secret: secret) else {
      throw CommandFailure("--alert-webhook needs an address with http or https")
    }
    return webhook
  }

  /// The certificate and key in two PEM files; nil if none are named.
  ///
  /// Throws a ``CommandFailure`` if they are unusable.
  static func tls(certificate: String?, key: String?) throws -> ServerTLS? {
    guard let certificate, let key else { return nil }
    forbidCoreDumps()
    do {
      return try ServerTLS(certificateFile: certificate, keyFile: key)
    } catch {
      throw CommandFailure(error.description)
    }
  }

  static func forbidCoreDumps() {
    guard !CoreDumps.forbid() else { return }
    StandardError.write("livetape: core dumps can't be turned off; one would hold the secrets")
  }
}
