/// Compares a witness stream with the source stream, whose price is displayed (LT2).
///
/// | what happens | what it means |
/// |---|---|
/// | one reports what the other reported within the tolerance | they agree |
/// | their latest prices differ | undecided: the other may follow |
/// | they have not agreed for the tolerance since | the witness dissents |
/// | after a dissent they agree, and still do after the tolerance | the witness agrees again |
///
/// The tolerance is the silence after which the slower stream is late by its rhythm: 1.5 to 30 s,
/// and 15 s until that is established. Streams that report the same prices at most that late never
/// dissent.
public struct PriceComparison: Sendable {
  /// The longest tolerance, in milliseconds.
  public static let maximumToleranceMilliseconds: Int64 = 30_000

  private var source = ToldPrices()
  private var witness = ToldPrices()
  /// Since when the latest prices have differed without agreement; nil while they are equal.
  private var openSince: MonotonicTime?
  /// The first and the latest agreement after a dissent.
  private var agreed: (first: MonotonicTime, last: MonotonicTime)?
  /// The verdict before the latest price.
  private var wasDissenting = false

  /// Creates a comparison without prices.
  public init() {}

  /// How long the two may differ, in milliseconds.
  public var toleranceMilliseconds: Int64 {
    min(
      Self.maximumToleranceMilliseconds,
      max(source.lateAfterMilliseconds, witness.lateAfterMilliseconds))
  }

  /// Whether both have reported a price.
  public var isComparable: Bool { source.isKnown && witness.isKnown }
  /// The witness's latest price.
  public var said: Int64? { witness.latest }
  /// The source's latest price.
  public var against: Int64? { source.latest }

  /// Applies a price of the source, nil without one; O(values in the tolerance), O(1) if unchanged.
  public mutating func hearSource(_ units: Int64?, at now: ClockReading) {
    settle(at: now.monotonic)
    if source.note(units, at: now) { compare(units, with: witness, at: now.monotonic) }
  }

  /// Applies a price of the witness, nil without one; O(values in the tolerance).
  public mutating func hearWitness(_ units: Int64?, at now: ClockReading) {
    settle(at: now.monotonic)
    _ = witness.note(units, at: now)
    compare(units, with: source, at: now.monotonic)
  }

  /// Drops the source's prices and the verdict, because the source restarts.
  public mutating func forgetSource() {
    source.forget()
    forgetVerdict()
  }

  /// Drops the witness's prices and the verdict, because the witness restarts.
  public mutating func forgetWitness() {
    witness.forget()
    forgetVerdict()
  }

  /// Whether the witness dissents; false when the two can't be compared.
  public func isDissenting(at now: MonotonicTime) -> Bool {
    if let openSince, lasted(from: openSince, to: now) { return true }
    guard wasDissenting, let agreed else { return wasDissenting }
    return !lasted(from: agreed.first, to: openSince == nil ? now : agreed.last)
  }

  /// Brings the verdict up to `now` before a new price is applied.
  private mutating func settle(at now: MonotonicTime) {
    if let openSince, lasted(from: openSince, to: now) { agreed = nil }
    wasDissenting = isDissenting(at: now)
    if !wasDissenting { agreed = nil }
  }

  private mutating func compare(_ units: Int64?, with other: ToldPrices, at now: MonotonicTime) {
    guard isComparable else { return }
    let earliest = now.adding(milliseconds: -toleranceMilliseconds)
    switch other.said(units, since: earliest) {
    case true?:
      openSince = source.latest == witness.latest ? nil : now
      agreed = (agreed?.first ?? now, now)
    case false?: openSince = openSince ?? now
    case nil: break
    }
  }

  private mutating func forgetVerdict() { (openSince, agreed, wasDissenting) = (nil, nil, false) }

  private func lasted(from first: MonotonicTime, to last: MonotonicTime) -> Bool {
    last.milliseconds(since: first) >= toleranceMilliseconds
  }
}
