// CryptoKit on Apple's systems, OpenSSL's libcrypto elsewhere: a second BoringSSL, besides the one
// for TLS, would add 386 objects to a first build
// (docs/decisions/0014-dependencies-are-few-and-exact.md).

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CLibCrypto
#endif

/// SHA-256 (FIPS 180-4).
public enum SHA256Digest {
  /// The length of a hash, in bytes.
  public static let byteCount = 32

  /// The hash of `bytes`, ``byteCount`` long.
  public static func hash(_ bytes: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(SHA256.hash(data: bytes))
    #else
      var digest = [UInt8](repeating: 0, count: byteCount)
      _ = SHA256(bytes, bytes.count, &digest)
      return digest
    #endif
  }

  /// The HMAC (RFC 2104) of `bytes` under `key`, ``byteCount`` long.
  public static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let blockSize = 64
    var block = key.count > blockSize ? hash(key) : key
    block += [UInt8](repeating: 0, count: blockSize - block.count)
    return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + bytes))
  }
}
