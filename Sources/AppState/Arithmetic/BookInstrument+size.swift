// What a size of an instrument is in its base currency.

import MarketModel
import VenueProtocols

extension BookInstrument {
  /// A size in the base currency: as it is where the venue counts so, size ÷ price at four decimals
  /// for inverse contracts; nil where that means nothing.
  func sizeInBase(
    _ size: Quantity, at price: Price, quantityScale: Scale, priceScale: Scale
  ) -> FixedDecimal? {
    switch contract {
    case .base: FixedDecimal(size, scale: quantityScale)
    case .inverse:
      BaseSize.of(size, at: price, quantityScale: quantityScale, priceScale: priceScale)
    case .quanto: nil
    }
  }
}
