// A certificate authority that lives as long as its process: its key is nowhere else, and it may
// vouch for no name but those it was made for.

internal import Foundation
public import MarketModel

/// Vouches for servers of one run.
public struct CertificateAuthority: Sendable {
  /// A certificate with its key, both as DER; its mirror has no children.
  public struct Issued: Sendable, CustomReflectable {
    /// The certificate.
    public let certificate: [UInt8]
    /// Its key.
    public let key: [UInt8]

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
  }

  /// For how long before and after its making a certificate is good, in milliseconds: a clock that
  /// is a day late does no harm, nor does a run of years.
  static let good: (before: Int64, after: Int64) = (86_400_000, 3650 * 86_400_000)

  /// Its own certificate, as DER.
  public let certificate: [UInt8]
  private let key: SigningKey
  private let identifier: [UInt8]

  /// Makes an authority with a key of its own.
  ///
  /// - Parameters:
  ///   - names: all that it may vouch for; whoever trusts it does not believe it about other names.
  ///   - now: the time of its making.
  /// - Throws: when the system's library makes no key.
  public init(for names: [CertificateName], at now: Timestamp) throws(CertificateError) {
    key = try SigningKey()
    identifier = CertificateAuthority.random(20)
    let constraints = DER.sequence(DER.value(0xa0, names.flatMap(\.subtree)))
    let text = CertificateText(
      subject: CertificateText.authority, key: key.publicInfo,
      from: Timestamp(milliseconds: now.milliseconds - CertificateAuthority.good.before),
      to: Timestamp(milliseconds: now.milliseconds + CertificateAuthority.good.after),
      extensions: [
        .init([0x55, 0x1d, 0x13], isCritical: true, DER.sequence(DER.yes)),
        // It signs certificates.
        .init([0x55, 0x1d, 0x0f], isCritical: true, [0x03, 0x02, 0x02, 0x04]),
        .init([0x55, 0x1d, 0x1e], isCritical: true, constraints),
        .init([0x55, 0x1d, 0x0e], isCritical: false, DER.octets(identifier)),
      ])
    certificate = try text.signed(by: key)
  }

  /// A certificate for a server, with a key of its own.
  ///
  /// - Parameters:
  ///   - names: what the server is called.
  ///   - subject: for people who look at it.
  ///   - now: the time of its making.
  ///   - isExpired: whether it was good until yesterday only.
  /// - Returns: the certificate and its key.
  /// - Throws: when the system's library makes no key.
  public func issue(
    for names: [CertificateName], subject: String, at now: Timestamp, isExpired: Bool = false
  ) throws(CertificateError) -> Issued {
    let own = try SigningKey()
    let end = isExpired ? -CertificateAuthority.good.before : CertificateAuthority.good.after
    let text = CertificateText(
      subject: subject, key: own.publicInfo,
      from: Timestamp(milliseconds: now.milliseconds - 2 * CertificateAuthority.good.before),
      to: Timestamp(milliseconds: now.milliseconds + end),
      extensions: [
        .init([0x55, 0x1d, 0x13], isCritical: true, DER.sequence()),
        // It signs what a server says.
        .init([0x55, 0x1d, 0x0f], isCritical: true, [0x03, 0x02, 0x07, 0x80]),
        .init(
          [0x55, 0x1d, 0x25], isCritical: false,
          DER.sequence(DER.identifier([0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]))),
        .init(
          [0x55, 0x1d, 0x11], isCritical: false, DER.value(0x30, names.flatMap(\.name))),
        .init(
          [0x55, 0x1d, 0x23], isCritical: false, DER.sequence(DER.value(0x80, identifier))),
        .init(
          [0x55, 0x1d, 0x0e], isCritical: false,
          DER.octets(CertificateAuthority.random(20))),
      ])
    return Issued(certificate: try text.signed(by: key), key: own.secret)
  }

  /// Its own certificate as PEM (RFC 7468).
  public var pem: String {
    let text = Data(certificate).base64EncodedString(
      options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
  }

  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
  }
}
