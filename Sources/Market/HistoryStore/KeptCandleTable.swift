import ChartModel
import GRDB
import MarketModel

/// An instrument's rows share the finest scales it ever had.
///
/// A finer one multiplies all its rows, without loss; coarser records are multiplied on writing.
struct KeptCandleTable {
  private struct Instrument {
    let id: Int64
    let priceScale: Scale
    let quantityScale: Scale
  }

  private let database: Database
  private var instruments: [InstrumentKey: Instrument] = [:]

  init(_ database: Database) { self.database = database }

  /// The precedence of a candle; it replaces one of equal or lower precedence.
  ///
  /// Compared with the venue's: 2; complete from the venue: 1; any other: 0.
  private static func weight(_ row: String) -> String {
    """
    CASE WHEN \(row).proof <> 0 THEN 2
      WHEN \(row).source = 0 AND \(row).missing = 0 THEN 1 ELSE 0 END
    """
  }

  private static let insertion = """
    INSERT INTO candle (
      instrument, interval, start, open, high, low, close, volume, count, missing, source, proof
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (instrument, interval, start) DO UPDATE SET
      open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
      volume = excluded.volume, count = excluded.count, missing = excluded.missing,
      source = excluded.source, proof = excluded.proof
    WHERE \(weight("excluded")) >= \(weight("candle"))
    """

  /// Writes records in order; returns the number of invalid ones.
  mutating func write(_ records: [CandleRecord]) throws -> Int {
    let statement = try database.cachedStatement(sql: Self.insertion)
    var refused = 0
    for record in records {
      guard record.candle.isSound(record.interval) else {
        refused += 1
        continue
      }
      let instrument = try instrument(of: record)
      let fitting = KeptCandles(
        candles: [record.candle], priceScale: record.priceScale,
        quantityScale: record.quantityScale
      ).candles(priceScale: instrument.priceScale, quantityScale: instrument.quantityScale)
      guard let candle = fitting.first else {
        refused += 1
        continue
      }
      try statement.execute(arguments: [
        instrument.id, record.interval.seconds, candle.start / 1000, candle.open.units,
        candle.high.units, candle.low.units, candle.close.units, candle.volume.units,
        candle.count, candle.missing, candle.source.rawValue, candle.proof.rawValue,
      ])
    }
    return refused
  }

  /// The instrument's row, at the finest scales that fit its candles and this one.
  private mutating func instrument(of record: CandleRecord) throws -> Instrument {
    let found = try instruments[record.instrument] ?? Self.find(record.instrument, in: database)
    guard let found else {
      try database.execute(
        sql:
          "INSERT INTO instrument (venue, symbol, priceScale, quantityScale) VALUES (?, ?, ?, ?)",
        arguments: [
          record.instrument.venue.rawValue, record.instrument.symbol.text,
          record.priceScale.digits, record.quantityScale.digits,
        ])
      let new = Instrument(
        id: database.lastInsertedRowID, priceScale: record.priceScale,
        quantityScale: record.quantityScale)
      instruments[record.instrument] = new
      return new
    }
    let wanted = Instrument(
      id: found.id, priceScale: max(found.priceScale, record.priceScale),
      quantityScale: max(found.quantityScale, record.quantityScale))
    let isFiner =
      wanted.priceScale != found.priceScale || wanted.quantityScale != found.quantityScale
    let result = try isFiner && rescale(found, to: wanted) ? wanted : found
    instruments[record.instrument] = result
    return result
  }

  /// False if one would not fit.
  private func rescale(_ old: Instrument, to new: Instrument) throws -> Bool {
    let price = powerOfTen(Int(new.priceScale.digits - old.priceScale.digits))
    let quantity = powerOfTen(Int(new.quantityScale.digits - old.quantityScale.digits))
    let extremes = try Row.fetchOne(
      database, sql: "SELECT max(high), min(low), max(volume) FROM candle WHERE instrument = ?",
      arguments: [old.id])
    let factors = [price, price, quantity]
    for (index, factor) in factors.enumerated() {
      let value = extremes.flatMap { Int64.fromDatabaseValue($0[index] as DatabaseValue) } ?? 0
      if value.multipliedReportingOverflow(by: factor).overflow { return false }
    }
    try database.execute(
      sql: """
        UPDATE candle SET open = open * :price, high = high * :price, low = low * :price,
          close = close * :price, volume = volume * :quantity WHERE instrument = :id
        """, arguments: ["price": price, "quantity": quantity, "id": old.id])
    try database.execute(
      sql: "UPDATE instrument SET priceScale = ?, quantityScale = ? WHERE id = ?",
      arguments: [new.priceScale.digits, new.quantityScale.digits, old.id])
    return true
  }

  private static func find(_ key: InstrumentKey, in database: Database) throws -> Instrument? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id, priceScale, quantityScale FROM instrument WHERE venue = ? AND symbol = ?
          """), arguments: [key.venue.rawValue, key.symbol.text])
    guard let row else { return nil }
    guard let id = Int64.fromDatabaseValue(row[0] as DatabaseValue),
      let price = Int.fromDatabaseValue(row[1] as DatabaseValue).flatMap(Scale.init(digits:)),
      let quantity = Int.fromDatabaseValue(row[2] as DatabaseValue).flatMap(Scale.init(digits:))
    else { throw HistoryStoreError.damaged("an instrument's scales") }
    return Instrument(id: id, priceScale: price, quantityScale: quantity)
  }
}

// MARK: Reading

extension KeptCandleTable {
  static let maximumRows = 1_100_000

  /// Candles, oldest first, without invalid rows.
  static func candles(
    _ key: InstrumentKey, _ interval: CandleInterval, from: Int64?, before: Int64?, limit: Int,
    in database: Database
  ) throws -> KeptCandles {
    guard let instrument = try find(key, in: database) else {
      return KeptCandles(candles: [], priceScale: .whole, quantityScale: .whole)
    }
    let statement = try database.cachedStatement(
      sql: """
        SELECT start, open, high, low, close, volume, count, missing, source, proof FROM candle
        WHERE instrument = ? AND interval = ? AND start >= ? AND start < ?
        ORDER BY start DESC LIMIT ?
        """)
    let rows = try Row.fetchCursor(
      statement,
      arguments: [
        instrument.id, interval.seconds, secondsAtOrAfter(from ?? .min),
        secondsAtOrAfter(before ?? .max), max(0, min(limit, maximumRows)),
      ])
    var candles: [Candle] = []
    while let row = try rows.next() {
      if let candle = candle(row), candle.isSound(interval) { candles.append(candle) }
    }
    candles.reverse()
    return KeptCandles(
      candles: candles, priceScale: instrument.priceScale,
      quantityScale: instrument.quantityScale)
  }

  static func end(
    _ key: InstrumentKey, _ interval: CandleInterval, in database: Database
  ) throws -> Int64? {
    let last = try candles(key, interval, from: nil, before: nil, limit: 1, in: database)
    return last.candles.last.map { $0.start + interval.milliseconds }
  }

  /// Rounds up to whole seconds, so that comparisons with starts stay the same.
  private static func secondsAtOrAfter(_ milliseconds: Int64) -> Int64 {
    milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0)
  }

  private static func candle(_ row: Row) -> Candle? {
    func number(_ index: Int) -> Int64? { Int64.fromDatabaseValue(row[index] as DatabaseValue) }
    guard let seconds = number(0), let open = number(1), let high = number(2), let low = number(3),
      let close = number(4), let volume = number(5),
      let count = number(6).flatMap(Int32.init(exactly:)),
      let missing = number(7).flatMap(Int32.init(exactly:)),
      let source = number(8).flatMap(UInt8.init(exactly:)).flatMap(CandleSource.init(rawValue:)),
      let proof = number(9).flatMap(UInt8.init(exactly:)).flatMap(CandleProof.init(rawValue:))
    else { return nil }
    let (start, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return nil }
    return Candle(
      start: start, open: Price(units: open), high: Price(units: high), low: Price(units: low),
      close: Price(units: close), volume: Quantity(units: volume), count: count,
      missing: missing, source: source, proof: proof)
  }
}

extension CandleInterval {
  var seconds: Int64 { milliseconds / 1000 }
}

extension Candle {
  func isSound(_ interval: CandleInterval) -> Bool {
    // Far enough from the limits that no start or end overflows.
    start > .min / 2 && start < .max / 2 && interval.start(of: start) == start
      && low <= open && low <= close && open <= high && close <= high
      && volume.units >= 0 && count >= 0 && missing >= 0
      && Int64(missing) <= interval.milliseconds
  }
}
