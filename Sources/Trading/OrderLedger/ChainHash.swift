// The chain: each event's hash covers its own text and the hash before it, so that no row can be
// changed, left out, added or moved without every later hash being wrong.
//
// What it does not do: whoever can write the file can also compute a whole new chain. Comparing the
// latest hash with one that was noted elsewhere shows that, too.

internal import Digest

/// A SHA-256 value of the chain.
public struct ChainHash: Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// Checks and wraps bytes; nil unless there are 32.
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

  /// The hash of the ledger's first text, on which the chain begins.
  init(genesis payload: String) { bytes = SHA256Digest.hash(Array(payload.utf8)) }

  /// The hash of the event that follows this one: SHA-256 of these 32 bytes and the event's text.
  func followed(by payload: String) -> ChainHash {
    ChainHash(SHA256Digest.hash(bytes + Array(payload.utf8)))
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// 64 hexadecimal digits.
  public var description: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
