import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import WireJSON

/// Encodes a ``CandlePage`` in a fifth of its JSON size.
///
/// Prices are differences to the previous close, numbers have variable length, and a candle without
/// trades takes one byte. docs/page-protocol.md specifies the format; history-bytes.js reads it.
struct CandleBytes {
  /// The MIME type of this format.
  static let contentType = "application/vnd.livetape.candles"
  /// The format version, in the first byte.
  static let version: UInt8 = 1

  /// Bits of a candle's first byte, above two bits of source and two of proof.
  private enum Sign {
    /// A number follows: the missing part of its span.
    static let missing: UInt8 = 1 << 4
    /// No trades, and all prices equal the previous close: nothing follows.
    static let quiet: UInt8 = 1 << 5
    /// A number follows: the gap to the end of the previous candle.
    static let apart: UInt8 = 1 << 6
  }

  private(set) var bytes: [UInt8] = []
  private var expectedStart: Int64 = 0
  private var close: Int64 = 0

  /// Encodes the whole page.
  ///
  /// O(candles).
  init(_ page: CandlePage) {
    bytes.reserveCapacity(128 + page.candles.count * 16)
    bytes.append(CandleBytes.version)
    write(page.interval.milliseconds)
    write(Int64(page.priceScale.digits))
    write(Int64(page.quantityScale.digits))
    write(Int64(clamping: page.revision))
    write(Int64(clamping: page.lastArrival))
    write(page.seenSince ?? 0)
    bytes.append((page.hasOlder ? 1 : 0) | (page.seenSince == nil ? 0 : 2))
    write(text: page.status.name)
    if case .failed(let failure) = page.status {
      write(text: failure.userMessage.jsonText)
    } else {
      write(text: "")
    }
    write(Int64(page.mismatches))
    write(page.candles, interval: page.interval.milliseconds)
    write(page.contradicted, interval: page.interval.milliseconds)
    write(unsigned: UInt64(page.gaps.count))
    for gap in page.gaps {
      write(gap.start)
      write(gap.end &- gap.start)
    }
  }

  private mutating func write(_ candles: [Candle], interval: Int64) {
    (expectedStart, close) = (0, 0)
    write(unsigned: UInt64(candles.count))
    for candle in candles { write(candle, interval: interval) }
  }

  private mutating func write(_ candle: Candle, interval: Int64) {
    let prices = [candle.open, candle.high, candle.low, candle.close].map(\.units)
    let isQuiet =
      candle.count == 0 && candle.volume.units == 0 && prices.allSatisfy { $0 == close }
    let later = candle.start &- expectedStart
    bytes.append(
      candle.source.rawValue | candle.proof.rawValue << 2
        | (candle.missing == 0 ? 0 : Sign.missing) | (isQuiet ? Sign.quiet : 0)
        | (later == 0 ? 0 : Sign.apart))
    if later != 0 { write(later) }
    if candle.missing != 0 { write(Int64(candle.missing)) }
    expectedStart = candle.start &+ interval
    guard !isQuiet else { return }
    write(candle.open.units &- close)
    write(candle.close.units &- candle.open.units)
    write(candle.high.units &- max(candle.open, candle.close).units)
    write(min(candle.open, candle.close).units &- candle.low.units)
    write(candle.volume.units)
    write(Int64(candle.count))
    close = candle.close.units
  }

  /// Zigzag encoding: the sign is the lowest bit, which keeps small numbers short.
  private mutating func write(_ number: Int64) {
    write(unsigned: UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  /// Seven bits per byte, lowest first; the highest bit marks continuation; ten bytes at most.
  private mutating func write(unsigned number: UInt64) {
    var rest = number
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// The length in bytes, then UTF-8.
  private mutating func write(text: String) {
    write(unsigned: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }
}
