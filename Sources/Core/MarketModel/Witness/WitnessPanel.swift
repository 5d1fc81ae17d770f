// LT2: all that is said of one instrument's prices, by stream.

/// Compares the streams of one instrument.
public struct WitnessPanel: Sendable {
  private struct Seat {
    let witness: Witness
    let price: WitnessedPrice
    var comparison: PriceComparison
  }

  private struct Spoken {
    let price: WitnessedPrice
    var units: Int64?
  }

  /// Witnesses that have spoken: at most three for a price.
  private var seats: [Seat] = []
  /// What the sources say: at most one for a price.
  private var sources: [Spoken] = []

  /// Nobody has spoken.
  public init() {}

  /// A stream says a price, in units of the instrument's scale; nil: that there is none.
  ///
  /// O(values within the tolerance).
  public mutating func hear(
    _ witness: Witness, _ price: WitnessedPrice, _ units: Int64?, at now: ClockReading
  ) {
    guard witness != price.source else { return hearSource(price, units, at: now) }
    let index = seat(of: witness, price, at: now)
    seats[index].comparison.hearWitness(units, at: now)
  }

  /// What a stream said means nothing any more: it is fetched anew, or its connection is gone.
  public mutating func forget(_ witness: Witness) {
    sources.removeAll { $0.price.source == witness }
    for index in seats.indices {
      if seats[index].witness == witness { seats[index].comparison.forgetWitness() }
      if seats[index].price.source == witness { seats[index].comparison.forgetSource() }
    }
  }

  /// What all of them said means nothing any more.
  public mutating func forgetAll() {
    for witness in Witness.allCases { forget(witness) }
  }

  /// Who can be compared now, and who dissents.
  ///
  /// - Parameters:
  ///   - audited: Whether ``Witness/top25``, which is compared level by level elsewhere, agrees
  ///     with the book; nil while it can't be told.
  ///   - now: The present.
  ///   - shown: A price of so many units as it is shown.
  /// - Returns: The report; nil where fewer than two can be compared.
  public func report(
    audited: Bool?, at now: MonotonicTime, _ shown: (Int64) -> FixedDecimal
  ) -> WitnessReport? {
    var heard: Set<Witness> = audited == true ? [.book, .top25] : []
    var dissents: [WitnessDissent] = []
    for seat in seats where seat.comparison.isComparable {
      heard.formUnion([seat.witness, seat.price.source])
      guard seat.comparison.isDissenting(at: now),
        !dissents.contains(where: { $0.witness == seat.witness })
      else { continue }
      dissents.append(
        WitnessDissent(
          seat.witness, seat.price, said: seat.comparison.said.map(shown),
          against: seat.comparison.against.map(shown)))
    }
    let order = Witness.allCases
    return WitnessReport(
      order.filter(heard.contains),
      dissents: order.compactMap { witness in dissents.first { $0.witness == witness } })
  }

  private mutating func hearSource(
    _ price: WitnessedPrice, _ units: Int64?, at now: ClockReading
  ) {
    if let index = sources.firstIndex(where: { $0.price == price }) {
      sources[index].units = units
    } else {
      sources.append(Spoken(price: price, units: units))
    }
    for index in seats.indices where seats[index].price == price {
      seats[index].comparison.hearSource(units, at: now)
    }
  }

  /// The seat of a witness for a price; a new one knows what the source says.
  private mutating func seat(
    of witness: Witness, _ price: WitnessedPrice, at now: ClockReading
  ) -> Int {
    let known = seats.firstIndex { $0.witness == witness && $0.price == price }
    if let known { return known }
    var comparison = PriceComparison()
    if let spoken = sources.first(where: { $0.price == price }) {
      comparison.hearSource(spoken.units, at: now)
    }
    seats.append(Seat(witness: witness, price: price, comparison: comparison))
    return seats.count - 1
  }
}
