// BitMEX changed its rows over the years; clients must live with both ends of that road.

/// Which years' rows a simulated BitMEX sends.
public enum BitMEXGeneration: String, Sendable, CaseIterable {
  /// As captured in 2021: ids computed from the price, no price on update and delete, no row times,
  /// JavaScript's spelling of numbers, `foreignKeys` and `attributes` in partials, XBTUSD in steps
  /// of 0.5.
  case legacy
  /// As captured in 2023 to 2025: opaque ids in no order, price and times on every row, a size that
  /// means nothing on deletes, Java's spelling of numbers, XBTUSD in steps of 0.1.
  case modern
}
