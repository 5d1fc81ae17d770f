// The short form of a history, byte by byte, and against its source page.

import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct CandleBytesTests {
  private func page(
    _ candles: [Candle], seenSince: Int64? = nil, _ status: HistoryStatus = .ready,
    contradicted: [Candle] = [], gaps: [SeriesGap] = []
  ) -> CandlePage {
    CandlePage(
      interval: .second, priceScale: Scale(clamping: 1), quantityScale: .whole, revision: 9,
      lastArrival: 3, seenSince: seenSince, status: status, hasOlder: true, candles: candles,
      contradicted: contradicted, mismatches: contradicted.count, gaps: gaps)
  }

  private func candle(
    _ start: Int64, _ prices: [Int64], volume: Int64, count: Int32, missing: Int32 = 0,
    source: CandleSource = .seen, proof: CandleProof = .none
  ) -> Candle {
    Candle(
      start: start, open: Price(units: prices[0]), high: Price(units: prices[1]),
      low: Price(units: prices[2]), close: Price(units: prices[3]),
      volume: Quantity(units: volume), count: count, missing: missing, source: source, proof: proof)
  }

  @Test("LT15 the short form of a history is this, byte by byte")
  func form() {
    let bytes = CandleBytes(
      page(
        [
          candle(5000, [10, 14, 9, 12], volume: 300, count: 3),
          candle(6000, [12, 12, 12, 12], volume: 0, count: 0),
          candle(
            8000, [11, 11, 7, 8], volume: 1, count: 1, missing: 500, source: .trades,
            proof: .contradicted),
        ], seenSince: 64, contradicted: [], gaps: [SeriesGap(start: 5, end: 7)])
    ).bytes
    #expect(
      bytes == [
        1, 0xd0, 0x0f, 2, 0, 18, 6, 0x80, 1, 3,  // version to signs
        5, 0x72, 0x65, 0x61, 0x64, 0x79, 0, 0,  // "ready", no problem, no mismatches
        3,  // candles
        0x42, 0x90, 0x4e, 20, 4, 4, 2, 0xd8, 4, 6,  // apart; 5000, 10, +2, +2, 1, 300, 3
        0x22,  // quiet
        0x59, 0xd0, 0x0f, 0xe8, 7, 1, 5, 0, 2, 2, 2,  // apart and missing
        0, 1, 10, 4,  // no contradicted, a gap
      ])
  }

  @Test("LT15 an unavailable history gives the reason in the short form, too")
  func failure() {
    let bytes = CandleBytes(page([], .failed(.rateLimited))).bytes
    let problem = Array("The venue limits requests".utf8)
    #expect(bytes.indices.contains { bytes[$0...].starts(with: problem) })
  }

  @Test("LT15 candles of any figures survive the short form")
  func anyFigures() {
    var random = SplitMix64(seed: 20_261_123)
    for _ in 0..<300 {
      var start: Int64 = 1_790_000_000_000
      let candles = (0..<20).map { _ -> Candle in
        start &+=
          Int.random(in: 0..<5, using: &random) == 0
          ? Int64(Int.random(in: 0..<90_000, using: &random)) : 1000
        let isWild = Int.random(in: 0..<20, using: &random) == 0
        let price = {
          isWild
            ? Int64.random(in: .min ... .max, using: &random)
            : 450_000 + Int64(Int.random(in: 0..<99, using: &random))
        }
        let isQuiet = Int.random(in: 0..<3, using: &random) == 0
        return candle(
          start, [price(), price(), price(), price()], volume: isQuiet ? 0 : price(),
          count: isQuiet ? 0 : Int32(Int.random(in: 0..<9, using: &random)),
          missing: Int32(Int.random(in: 0..<2, using: &random) * 300),
          source: CandleSource.allCases[Int.random(in: 0..<3, using: &random)],
          proof: CandleProof.allCases[Int.random(in: 0..<3, using: &random)])
      }
      var reader = ByteReader(bytes: CandleBytes(page(candles)).bytes)
      #expect(reader.candles(from: 17, interval: 1000) == candles, "seed 20261123")
    }
  }

  @Test("LT15 a candle takes twelve bytes, a fifth of what it takes as JSON")
  func size() {
    var random = SplitMix64(seed: 7)
    let candles = (0..<2000).map { index -> Candle in
      let open = 450_000 + Int64(Int.random(in: 0..<400, using: &random))
      return candle(
        1_790_000_000_000 + Int64(index) * 1000, [open, open + 9, open - 9, open + 4],
        volume: Int64(Int.random(in: 0..<90_000, using: &random)),
        count: Int32(Int.random(in: 0..<20, using: &random)) + 1)
    }
    let page = page(candles)
    #expect(CandleBytes(page).bytes.count * 5 < page.json.count)
    #expect(CandleBytes(page).bytes.count <= 12 * 2000)
  }
}

/// Reads the candles of the short form, independent of its writer.
private struct ByteReader {
  let bytes: [UInt8]
  private var at = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func byte() -> UInt8 {
    at += 1
    return bytes[at - 1]
  }

  private mutating func unsigned() -> UInt64 {
    var (sum, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let next = byte()
      sum |= UInt64(next & 127) << shift
      guard next > 127 else { return sum }
      shift += 7
    }
  }

  private mutating func signed() -> Int64 {
    let number = unsigned()
    return Int64(bitPattern: number >> 1) ^ -Int64(number & 1)
  }

  mutating func candles(from header: Int, interval: Int64) -> [Candle] {
    at = header
    var (start, close): (Int64, Int64) = (0, 0)
    return (0..<Int(unsigned())).map { _ in
      let signs = byte()
      if signs & 64 != 0 { start &+= signed() }
      let missing = signs & 16 != 0 ? signed() : 0
      var figures: [Int64] = [close, close, close, close, 0, 0]
      if signs & 32 == 0 {
        let open = close &+ signed()
        close = open &+ signed()
        let high = max(open, close) &+ signed()
        figures = [open, high, min(open, close) &- signed(), close, signed(), signed()]
      }
      defer { start &+= interval }
      return Candle(
        start: start, open: Price(units: figures[0]), high: Price(units: figures[1]),
        low: Price(units: figures[2]), close: Price(units: figures[3]),
        volume: Quantity(units: figures[4]), count: Int32(truncatingIfNeeded: figures[5]),
        missing: Int32(truncatingIfNeeded: missing),
        source: CandleSource(rawValue: signs & 3) ?? .seen,
        proof: CandleProof(rawValue: signs >> 2 & 3) ?? .none)
    }
  }
}
