/// Compares the streams of one instrument (LT2).
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

  /// At most three per price.
  private var seats: [Seat] = []
  /// At most one per price.
  private var sources: [Spoken] = []

  /// Creates a panel without streams.
  public init() {}

  /// Applies a stream's price in the instrument's units, nil without one; O(values in the
  /// tolerance).
  public mutating func hear(
    _ witness: Witness, _ price: WitnessedPrice, _ units: Int64?, at now: ClockReading
  ) {
    guard witness != price.source else { return hearSource(price, units, at: now) }
    let index = seat(of: witness, price, at: now)
    seats[index].comparison.hearWitness(units, at: now)
  }

  /// Drops a stream's prices, because it is refetched or disconnected.
  public mutating func forget(_ witness: Witness) {
    sources.removeAll { $0.price.source == witness }
    for index in seats.indices {
      if seats[index].witness == witness { seats[index].comparison.forgetWitness() }
      if seats[index].price.source == witness { seats[index].comparison.forgetSource() }
    }
  }

  /// Drops the prices of all streams.
  public mutating func forgetAll() {
    for witness in Witness.allCases { forget(witness) }
  }

  /// The streams that can be compared now, and those that dissent; nil with fewer than two streams.
  ///
  /// `audited` is whether ``Witness/top25``, which is compared level by level elsewhere, agrees
  /// with the book, nil while undecided. `shown` converts units to the displayed price.
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

  private mutating func hearSource(_ price: WitnessedPrice, _ units: Int64?, at now: ClockReading) {
    if let index = sources.firstIndex(where: { $0.price == price }) {
      sources[index].units = units
    } else {
      sources.append(Spoken(price: price, units: units))
    }
    for index in seats.indices where seats[index].price == price {
      seats[index].comparison.hearSource(units, at: now)
    }
  }

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
