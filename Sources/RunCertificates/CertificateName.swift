// What a certificate is for.

/// A name or an address of a server.
public enum CertificateName: Sendable, Hashable {
  /// A name: "localhost".
  case host(String)
  /// The 4 or 16 bytes of an address.
  case address([UInt8])

  /// This machine, by name and by both addresses.
  public static let loopback: [CertificateName] = [
    .host("localhost"), .address([127, 0, 0, 1]),
    .address([UInt8](repeating: 0, count: 15) + [1]),
  ]

  /// As a certificate's alternative name.
  var name: [UInt8] {
    switch self {
    case .host(let text): DER.value(0x82, Array(text.utf8))
    case .address(let bytes): DER.value(0x87, bytes)
    }
  }

  /// As what an authority may vouch for: a name with all below it; nothing for an address.
  ///
  /// BoringSSL refuses all addresses of an authority that is bound to some.
  var subtree: [UInt8] { if case .host = self { DER.sequence(name) } else { [] } }
}
