// The certificates of the simulated venues of one run: one that is right, and those that a fault
// shows instead.

import FeedConnections
import MarketModel
import RunCertificates
public import SocketTransport
import VenueSimulator

/// Certificates that an authority made at this start vouches for, and nobody else.
public struct VenueCertificates: Sendable {
  /// Whom to trust: the authority, and nobody beside it.
  public let trust: TLSSettings
  /// The authority's certificate as PEM, for clients in other processes.
  public let authority: String

  private let right: ServerTLS
  private let wrong: [FaultOrder.BadCertificate: ServerTLS]

  /// Makes an authority and what it vouches for: this machine, and the host that is listened on.
  ///
  /// Throws a ``RunCertificates/CertificateError`` or a ``SocketTransport/ServerTLSError``.
  public init(host: String) throws {
    let now = HubClock.live.now().wall
    let names = Self.names(of: host)
    let authority = try CertificateAuthority(for: names, at: now)
    // Of the same name, with another key.
    let stranger = try CertificateAuthority(for: names, at: now)
    func server(
      _ judge: CertificateAuthority, _ names: [CertificateName], isExpired: Bool = false
    ) throws -> ServerTLS {
      let issued = try judge.issue(
        for: names, subject: "Livetape's simulated venue", at: now, isExpired: isExpired)
      return try ServerTLS(certificate: issued.certificate, key: issued.key)
    }
    right = try server(authority, names)
    wrong = [
      .untrusted: try server(stranger, names),
      .expired: try server(authority, names, isExpired: true),
      .wrongName: try server(authority, [.host("elsewhere.localhost")]),
    ]
    trust = try TLSSettings(authority: authority.certificate)
    self.authority = authority.pem
  }

  /// What a server that listens on a host is called.
  private static func names(of host: String) -> [CertificateName] {
    let name = IPAddress.bytes(host).map(CertificateName.address) ?? .host(host)
    return CertificateName.loopback + (CertificateName.loopback.contains(name) ? [] : [name])
  }

  /// What speaks TLS with this certificate; the right one for nil.
  func server(_ certificate: FaultOrder.BadCertificate?) -> ServerTLS {
    certificate.flatMap { wrong[$0] } ?? right
  }
}
