internal import Digest

/// A SHA-256 hash of the ledger's chain.
///
/// Each event's hash covers its own text and the previous hash, so changing, deleting, adding or
/// moving a row invalidates every later hash. A process that can write the file can also compute a
/// new chain; comparing the latest hash with a copy stored elsewhere reveals that.
public struct ChainHash: Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// Wraps 32 bytes; nil for any other count.
  public init?(bytes: [UInt8]) {
    guard bytes.count == SHA256Digest.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads 64 hexadecimal digits; nil for anything else.
  public init?(_ text: String) {
    let digits = text.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
    guard digits.count == text.utf8.count, digits.count == 2 * SHA256Digest.byteCount else {
      return nil
    }
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// The hash of the ledger's first text, where the chain begins.
  init(genesis payload: String) { bytes = SHA256Digest.hash(Array(payload.utf8)) }

  /// The next hash: SHA-256 of these 32 bytes followed by the event's text.
  func followed(by payload: String) -> ChainHash {
    ChainHash(SHA256Digest.hash(bytes + Array(payload.utf8)))
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// 64 hexadecimal digits.
  public var description: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
