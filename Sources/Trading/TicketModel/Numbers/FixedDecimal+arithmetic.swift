public import MarketModel

extension FixedDecimal {
  /// Parses a sign, digits and at most one point ("+5", ".5", "007").
  ///
  /// nil for anything else and on overflow.
  @inline(never)
  public init?(plain text: String) {
    var units: Int64 = 0
    var decimals = -1
    var digits = 0
    var isNegative = false
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard index == 0 else { return nil }
        isNegative = byte == UInt8(ascii: "-")
      case UInt8(ascii: "."):
        guard decimals < 0 else { return nil }
        decimals = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (product, first) = units.multipliedReportingOverflow(by: 10)
        let (sum, second) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
        if first || second { return nil }
        units = sum
        digits += 1
        if decimals >= 0 { decimals += 1 }
      default: return nil
      }
    }
    guard digits > 0, let scale = Scale(digits: max(0, decimals)) else { return nil }
    self.init(units: isNegative ? -units : units, scale: scale)
  }

  /// The difference at the finer scale of the two; nil on overflow.
  func minus(_ other: FixedDecimal) -> FixedDecimal? {
    let scale = max(scale, other.scale)
    guard let left = exactly(at: scale)?.units, let right = other.exactly(at: scale)?.units
    else { return nil }
    let (units, overflow) = left.subtractingReportingOverflow(right)
    return overflow ? nil : FixedDecimal(units: units, scale: scale)
  }

  /// The exact product; nil on overflow.
  func times(_ other: FixedDecimal) -> FixedDecimal? {
    let (units, overflow) = units.multipliedReportingOverflow(by: other.units)
    guard !overflow, let scale = Scale(digits: Int(scale.digits) + Int(other.scale.digits))
    else { return nil }
    return FixedDecimal(units: units, scale: scale)
  }

  /// `percent` of the value in whole lots, rounded down, at least one lot and at most `maximum`;
  /// nil on overflow.
  func share(_ percent: Int64, of lot: FixedDecimal, maximum: FixedDecimal?) -> FixedDecimal? {
    let fine = max(scale, lot.scale)
    guard let value = exactly(at: fine)?.units, let size = lot.exactly(at: fine)?.units, size > 0
    else { return nil }
    let (part, isTooMuch) = value.multipliedReportingOverflow(by: percent)
    guard !isTooMuch else { return nil }
    let (units, overflow) = max(1, part / 100 / size).multipliedReportingOverflow(by: lot.units)
    guard !overflow else { return nil }
    let share = FixedDecimal(units: units, scale: lot.scale)
    return maximum.map { min($0, share) } ?? share
  }

  /// 0.5 % beyond this price, rounded outwards to a tick: the worst price of an order on a side.
  ///
  /// At least one tick; nil on overflow.
  func protection(for side: Side, tick: FixedDecimal) -> FixedDecimal? {
    let fine = max(scale, tick.scale)
    guard let price = exactly(at: fine)?.units, let size = tick.exactly(at: fine)?.units,
      price > 0, size > 0
    else { return nil }
    let (bound, first) = price.multipliedReportingOverflow(by: side == .buy ? 1005 : 995)
    let (step, second) = size.multipliedReportingOverflow(by: 1000)
    guard !first, !second else { return nil }
    let ticks = bound / step + (side == .buy && bound % step > 0 ? 1 : 0)
    let (units, overflow) = max(1, ticks).multipliedReportingOverflow(by: tick.units)
    return overflow ? nil : FixedDecimal(units: units, scale: tick.scale)
  }

  /// The value moved by `count` steps on the grid of `step`, at least one step and at most
  /// `maximum`; a value between two steps first moves to the adjacent one.
  ///
  /// nil if there is no value in that direction, or on overflow.
  func stepped(by step: FixedDecimal, _ count: Int64, maximum: FixedDecimal?) -> FixedDecimal? {
    let fine = max(scale, step.scale)
    guard let value = exactly(at: fine)?.units, let size = step.exactly(at: fine)?.units,
      size > 0
    else { return nil }
    let (whole, rest) = value.quotientAndRemainder(dividingBy: size)
    let from = count < 0 && rest != 0 ? whole + 1 : whole
    let (sum, isTooFar) = from.addingReportingOverflow(count)
    guard !isTooFar else { return nil }
    let (units, overflow) = max(1, sum).multipliedReportingOverflow(by: step.units)
    guard !overflow else { return nil }
    var next = FixedDecimal(units: units, scale: step.scale)
    if let maximum, maximum < next { next = maximum }
    return (count < 0) == (next < self) && next != self ? next : nil
  }
}
