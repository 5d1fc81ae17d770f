package import NIOCore
package import OrderLedger

/// Stored events of a ledger on the bus, verbatim, with the preceding hash and the keeper's term.
package struct LedgerPiece: Equatable {
  /// Longer than any piece: a history's limit, or the texts of one commit.
  static let maximumBytes = 4 << 20

  /// The order service's term; later ones are larger.
  package let epoch: UInt64
  package let excerpt: LedgerExcerpt

  package init(epoch: UInt64, excerpt: LedgerExcerpt) {
    (self.epoch, self.excerpt) = (epoch, excerpt)
  }

  /// The encoded piece.
  ///
  /// "epoch after hash", with "-" for an event that does not exist, then a line per event.
  package var bytes: ByteBuffer {
    let hash = excerpt.hash?.description ?? "-"
    var bytes = ByteBuffer(string: "\(epoch) \(excerpt.after) \(hash)")
    for text in excerpt.texts {
      bytes.writeInteger(UInt8(ascii: "\n"))
      bytes.writeString(text)
    }
    return bytes
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  ///
  /// The texts are not validated.
  package init?(_ bytes: ByteBuffer) {
    guard bytes.readableBytes <= LedgerPiece.maximumBytes else { return nil }
    let lines = String(buffer: bytes).split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard head.count == 3, let epoch = UInt64(head[0]), let after = UInt64(head[1]) else {
      return nil
    }
    let hash = ChainHash(String(head[2]))
    guard hash != nil || head[2] == "-" else { return nil }
    self.init(
      epoch: epoch,
      excerpt: LedgerExcerpt(after: after, hash: hash, texts: lines.dropFirst().map(String.init)))
  }
}
