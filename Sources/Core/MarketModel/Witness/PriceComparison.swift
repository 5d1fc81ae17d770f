// LT2: whether two streams say the same of a price. They come at their own pace and one may be
// ahead of the other, so they hardly ever say the same at the same moment.

/// Compares a witness with the stream whose price is shown.
///
/// | what happens | what it means |
/// |---|---|
/// | one says what the other said within the tolerance | they agree |
/// | their latest words differ | nothing yet: the other may follow |
/// | they have not agreed for the tolerance since | the witness dissents |
/// | after a dissent they agree, and go on to for the tolerance | the witness agrees again |
///
/// The tolerance is the silence after which the slower of the two is late by its own rhythm: three
/// of its usual gaps, 1.5 s at least, 30 s at most, and 15 s until its rhythm is known. Streams
/// that tell the same prices in their own time, each no later than that, never dissent.
public struct PriceComparison: Sendable {
  /// The longest tolerance, in milliseconds.
  public static let maximumToleranceMilliseconds: Int64 = 30_000

  private var source = ToldPrices()
  private var witness = ToldPrices()
  /// Since when they have not agreed, of words that differ now; nil while their latest ones are
  /// the same.
  private var openSince: MonotonicTime?
  /// When they first agreed after a dissent, and when they did so last.
  private var agreed: (first: MonotonicTime, last: MonotonicTime)?
  /// Whether the witness dissented when either spoke last.
  private var wasDissenting = false

  /// Begins without knowing anything.
  public init() {}

  /// How long they may say something else, in milliseconds.
  public var toleranceMilliseconds: Int64 {
    min(
      Self.maximumToleranceMilliseconds,
      max(source.lateAfterMilliseconds, witness.lateAfterMilliseconds))
  }

  /// Whether both have spoken.
  public var isComparable: Bool { source.isKnown && witness.isKnown }
  /// What the witness said last.
  public var said: Int64? { witness.latest }
  /// What the source said last.
  public var against: Int64? { source.latest }

  /// The source says this price; nil: that there is none.
  ///
  /// O(values within the tolerance) where it is a new one, else O(1).
  public mutating func hearSource(_ units: Int64?, at now: ClockReading) {
    settle(at: now.monotonic)
    if source.note(units, at: now) { compare(units, with: witness, at: now.monotonic) }
  }

  /// The witness says this price; nil: that there is none.
  ///
  /// O(values within the tolerance).
  public mutating func hearWitness(_ units: Int64?, at now: ClockReading) {
    settle(at: now.monotonic)
    _ = witness.note(units, at: now)
    compare(units, with: source, at: now.monotonic)
  }

  /// What the source said means nothing any more: it starts anew.
  public mutating func forgetSource() {
    source.forget()
    forgetVerdict()
  }

  /// What the witness said means nothing any more: it starts anew.
  public mutating func forgetWitness() {
    witness.forget()
    forgetVerdict()
  }

  /// Whether the witness dissents; false where they can't be compared.
  public func isDissenting(at now: MonotonicTime) -> Bool {
    if let openSince, lasted(from: openSince, to: now) { return true }
    guard wasDissenting, let agreed else { return wasDissenting }
    return !lasted(from: agreed.first, to: openSince == nil ? now : agreed.last)
  }

  /// Brings what was known up to the present, before anything new is said.
  private mutating func settle(at now: MonotonicTime) {
    if let openSince, lasted(from: openSince, to: now) { agreed = nil }
    wasDissenting = isDissenting(at: now)
    if !wasDissenting { agreed = nil }
  }

  private mutating func compare(
    _ units: Int64?, with other: ToldPrices, at now: MonotonicTime
  ) {
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

  private mutating func forgetVerdict() {
    (openSince, agreed, wasDissenting) = (nil, nil, false)
  }

  private func lasted(from first: MonotonicTime, to last: MonotonicTime) -> Bool {
    last.milliseconds(since: first) >= toleranceMilliseconds
  }
}
