// A part of a ledger on the bus: events word for word as they are stored, with the hash that they
// follow, so that whoever takes them can go on with the chain.

package import NIOCore
package import OrderLedger

/// Events of a ledger, with the term of the process that keeps it.
package struct LedgerPiece: Equatable {
  /// Longer than any piece: a history's limit, and the texts of one commit.
  static let maximumBytes = 4 << 20

  /// The term of the order service: later ones have larger ones.
  package let epoch: UInt64
  package let excerpt: LedgerExcerpt

  package init(epoch: UInt64, excerpt: LedgerExcerpt) {
    (self.epoch, self.excerpt) = (epoch, excerpt)
  }

  /// "epoch after hash", where the hash is "-" for an event that is not there, then a line for each
  /// event.
  package var bytes: ByteBuffer {
    let hash = excerpt.hash?.description ?? "-"
    var bytes = ByteBuffer(string: "\(epoch) \(excerpt.after) \(hash)")
    for text in excerpt.texts {
      bytes.writeInteger(UInt8(ascii: "\n"))
      bytes.writeString(text)
    }
    return bytes
  }

  /// Reads what ``bytes`` wrote; nil when it is something else.
  ///
  /// The texts are not looked at.
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
