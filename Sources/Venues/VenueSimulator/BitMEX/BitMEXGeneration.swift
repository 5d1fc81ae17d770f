/// The years whose row format a simulated BitMEX sends; clients must handle both ends of its
/// changes.
public enum BitMEXGeneration: String, Sendable, CaseIterable {
  /// As captured in 2021: ids computed from the price, no price on update and delete, no row times,
  /// JavaScript's number format, `foreignKeys` and `attributes` in partials, XBTUSD in steps of
  /// 0.5.
  case legacy
  /// As captured in 2023 to 2025: opaque ids in no order, price and times on every row, a
  /// meaningless size on deletes, Java's number format, XBTUSD in steps of 0.1.
  case modern
}
