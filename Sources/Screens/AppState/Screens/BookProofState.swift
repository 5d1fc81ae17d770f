public import MarketModel

/// The venue's checksum of a book's rows with the scales of its digits (LT2).
public struct BookProofState: Hashable, Sendable {
  /// The checksum and its time.
  public let proof: BookProof
  /// The scale of prices in the checksum.
  public let priceScale: Scale
  /// The scale of sizes in the checksum.
  public let quantityScale: Scale

  /// Computes the checksum of the drawn rows and compares it with the venue's.
  ///
  /// - Parameters:
  ///   - bids: best first; rows beyond the checksum's depth are ignored.
  ///   - asks: best first.
  ///   - checksum: reuses its buffer to avoid allocations.
  /// - Returns: false also if a row has more digits than the venue's scale.
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
