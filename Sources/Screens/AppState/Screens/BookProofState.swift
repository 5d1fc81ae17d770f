// LT2: whether the rows of a book are those that the venue vouches for, computed from the very rows
// that a face draws.

public import MarketModel

/// The venue's checksum of a book's rows, and what its digits are made with.
public struct BookProofState: Hashable, Sendable {
  /// The checksum and when it came.
  public let proof: BookProof
  /// The scale of prices in the venue's digits.
  public let priceScale: Scale
  /// The scale of sizes in them.
  public let quantityScale: Scale

  /// Computes the checksum of rows as they are drawn and compares it with the venue's.
  ///
  /// - Parameters:
  ///   - bids: best first; rows beyond those that the venue vouches for are not looked at.
  ///   - asks: best first.
  ///   - checksum: keeps the buffer, so that a book that moves allocates little.
  /// - Returns: false also for a row with digits that the venue does not have.
  public func holds(
    bids: [BookRowState], asks: [BookRowState], _ checksum: inout BookChecksum
  ) -> Bool {
    guard let bids = rows(bids), let asks = rows(asks) else { return false }
    return checksum.value(bids: bids, asks: asks) == proof.checksum
  }

  private func rows(_ drawn: [BookRowState]) -> [BookRow]? {
    var rows: [BookRow] = []
    for row in drawn.prefix(BookChecksum.depth) {
      guard let price = row.price.exactly(at: priceScale),
        let size = row.size.exactly(at: quantityScale)
      else { return nil }
      rows.append(
        BookRow(
          price: Price(units: price.units), size: Quantity(units: size.units), accumulated: .zero))
    }
    return rows
  }
}
