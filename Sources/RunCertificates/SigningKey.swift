// A key on P-256 by the platform: CryptoKit on Apple's systems, OpenSSL's libcrypto elsewhere, as
// for SHA-256 (docs/decisions/0014-dependencies-are-few-and-exact.md).

#if canImport(CryptoKit)
  internal import CryptoKit
  internal import Foundation
#else
  internal import CLibCrypto
#endif

/// Why there is no certificate.
public struct CertificateError: Error, Sendable, CustomStringConvertible {
  /// One clear line.
  public let description: String
}

/// A key that signs with ECDSA and SHA-256, made at random; its mirror has no children.
struct SigningKey: Sendable, CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }

  /// The key itself, as DER.
  let secret: [UInt8]
  /// What everybody may know of it: a SubjectPublicKeyInfo.
  let publicInfo: [UInt8]

  #if canImport(CryptoKit)
    init() throws(CertificateError) {
      let key = P256.Signing.PrivateKey()
      secret = Array(key.derRepresentation)
      publicInfo = Array(key.publicKey.derRepresentation)
    }

    /// A signature as DER.
    func signature(of bytes: [UInt8]) throws(CertificateError) -> [UInt8] {
      do {
        let key = try P256.Signing.PrivateKey(derRepresentation: secret)
        return Array(try key.signature(for: bytes).derRepresentation)
      } catch {
        throw SigningKey.failure
      }
    }
  #else
    init() throws(CertificateError) {
      guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { throw SigningKey.failure }
      defer { EVP_PKEY_CTX_free(context) }
      var key: OpaquePointer?
      guard EVP_PKEY_keygen_init(context) == 1,
        EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
        EVP_PKEY_keygen(context, &key) == 1
      else { throw SigningKey.failure }
      defer { EVP_PKEY_free(key) }
      secret = try SigningKey.written { i2d_PrivateKey(key, $0) }
      publicInfo = try SigningKey.written { i2d_PUBKEY(key, $0) }
    }

    /// A signature as DER.
    func signature(of bytes: [UInt8]) throws(CertificateError) -> [UInt8] {
      let key = secret.withUnsafeBufferPointer { secret -> OpaquePointer? in
        var place = secret.baseAddress
        return d2i_AutoPrivateKey(nil, &place, secret.count)
      }
      defer { EVP_PKEY_free(key) }
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      var count = 128
      var signature = [UInt8](repeating: 0, count: count)
      guard key != nil, EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
        EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
      else { throw SigningKey.failure }
      return Array(signature.prefix(count))
    }

    /// What one of libcrypto's writers writes: asked for the length first, then for the bytes.
    private static func written(
      _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) throws(CertificateError) -> [UInt8] {
      let count = Int(write(nil))
      guard count > 0 else { throw failure }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        var place = buffer.baseAddress
        filled = max(0, Int(write(&place)))
      }
    }
  #endif

  private static let failure = CertificateError(
    description: "the system's library made no key for a certificate")
}
