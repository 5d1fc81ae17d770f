// The candles of one interval in blocks: both ends grow at the price of what is added, and nothing
// that is there moves. A copy that is changed copies one block.

import MarketModel

/// Candles in the order of time.
public struct CandleRun: RandomAccessCollection, Equatable, Sendable {
  private static let shift = 10
  /// Candles of a block, 64 KiB of them: a thousand older ones are put in front within a frame.
  private static let length = 1 << shift
  /// Stands in the places of the first block that are not used yet.
  private static let filler = Candle(start: 0, price: Price(units: 0), volume: .zero)

  /// Each but the last one is full; empty when there are no candles.
  private var blocks: [[Candle]] = []
  /// Unused places at the beginning of the first block.
  private var head = 0
  /// The number of candles.
  public private(set) var count = 0

  /// No candles.
  public init() {}

  /// The first index, always 0.
  public var startIndex: Int { 0 }

  /// The index behind the last candle.
  public var endIndex: Int { count }

  /// The candle at an index, which must be in range.
  public internal(set) subscript(index: Int) -> Candle {
    get {
      precondition(index >= 0 && index < count)
      let place = index + head
      return blocks[place >> CandleRun.shift][place & (CandleRun.length - 1)]
    }
    set {
      precondition(index >= 0 && index < count)
      let place = index + head
      blocks[place >> CandleRun.shift][place & (CandleRun.length - 1)] = newValue
    }
  }

  /// Whether both hold equal candles, wherever these lie.
  public static func == (left: CandleRun, right: CandleRun) -> Bool {
    left.elementsEqual(right)
  }

  /// Adds a candle behind the last one.
  ///
  /// O(1).
  mutating func append(_ candle: Candle) {
    if (count + head) >> CandleRun.shift == blocks.count {
      var block: [Candle] = []
      // The first block grows as needed: most coarse levels stay small.
      if !blocks.isEmpty { block.reserveCapacity(CandleRun.length) }
      blocks.append(block)
    }
    blocks[blocks.count - 1].append(candle)
    count += 1
  }

  /// Puts candles before the first one.
  ///
  /// O(older candles), and one address for each block there is.
  mutating func prepend(_ older: CandleRun) {
    guard count > 0 else {
      self = older
      return
    }
    for index in older.indices.reversed() {
      if head == 0 {
        blocks.insert(Array(repeating: CandleRun.filler, count: CandleRun.length), at: 0)
        head = CandleRun.length
      }
      head -= 1
      blocks[0][head] = older[index]
    }
    count += older.count
  }

  /// Takes the first candle away; nothing when there is none.
  mutating func dropFirst() {
    guard count > 1 else {
      self = CandleRun()
      return
    }
    head += 1
    count -= 1
    if head == CandleRun.length {
      blocks.removeFirst()
      head = 0
    }
  }

  /// Takes the last candle away; nil when there is none.
  mutating func popLast() -> Candle? {
    let last = last
    truncate(to: count - 1)
    return last
  }

  /// Keeps the first candles, all when there are no more.
  mutating func truncate(to kept: Int) {
    guard kept < count else { return }
    guard kept > 0 else {
      self = CandleRun()
      return
    }
    let end = kept + head
    let last = (end - 1) >> CandleRun.shift
    blocks.removeLast(blocks.count - 1 - last)
    blocks[last].removeLast(blocks[last].count - (end - last * CandleRun.length))
    count = kept
  }
}
