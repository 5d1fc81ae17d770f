// A certificate of X.509 (RFC 5280) before and after it is signed.

import MarketModel

/// What a certificate says.
struct CertificateText {
  /// One of its extensions.
  struct Extension {
    let bytes: [UInt8]

    init(_ identifier: [UInt8], isCritical: Bool, _ value: [UInt8]) {
      let critical = isCritical ? DER.yes : []
      bytes = DER.sequence(DER.identifier(identifier), critical, DER.octets(value))
    }
  }

  /// What every authority is called: a stranger is told from the right one by its key alone.
  static let authority = "Livetape's simulated venues"
  /// ECDSA with SHA-256.
  private static let algorithm = DER.sequence(
    DER.identifier([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))

  let subject: String
  /// A SubjectPublicKeyInfo.
  let key: [UInt8]
  let from: Timestamp
  let to: Timestamp
  let extensions: [Extension]

  /// The certificate, signed by the authority's key.
  func signed(by authority: SigningKey) throws(CertificateError) -> [UInt8] {
    let number = CertificateAuthority.random(16)
    let said = DER.sequence(
      DER.value(0xa0, DER.integer([2])), DER.integer(number), CertificateText.algorithm,
      CertificateText.name(CertificateText.authority), DER.sequence(DER.time(from), DER.time(to)),
      CertificateText.name(subject), key,
      DER.value(0xa3, DER.value(0x30, extensions.flatMap(\.bytes))))
    let signature = try authority.signature(of: said)
    return DER.sequence(said, CertificateText.algorithm, DER.bits(signature))
  }

  /// A name that is a common name.
  private static func name(_ text: String) -> [UInt8] {
    let part = DER.sequence(DER.identifier([0x55, 0x04, 0x03]), DER.text(text))
    return DER.sequence(DER.value(0x31, part))
  }
}
