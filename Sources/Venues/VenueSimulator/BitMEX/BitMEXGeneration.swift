/// The years whose row format is simulated; clients must handle the oldest and the newest.
public enum BitMEXGeneration: String, Sendable, CaseIterable {
  /// As captured in 2021: ids computed from the price, no price on update and delete, no row times,
  /// JavaScript's numbers, `foreignKeys` and `attributes` in partials, XBTUSD in steps of 0.5.
  case legacy
  /// As captured in 2023 to 2025: opaque ids in no order, price and times on every row, a
  /// meaningless size on deletes, Java's number format, XBTUSD in steps of 0.1.
  case modern
}
