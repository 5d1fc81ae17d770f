import MarketModel

/// Candles of one interval in time order, in blocks, so that both ends grow without moving any.
///
/// Changing a copy copies one block.
public struct CandleRun: RandomAccessCollection, Equatable, Sendable {
  private static let shift = 10
  /// Candles per block, 64 KiB: a thousand older ones can be prepended within a frame.
  private static let length = 1 << shift
  private static let filler = Candle(start: 0, price: Price(units: 0), volume: .zero)

  /// All but the last are full; empty without candles.
  private var blocks: [[Candle]] = []
  /// Unused places at the start of the first block.
  private var head = 0
  /// The number of candles.
  public private(set) var count = 0

  /// Creates an empty run.
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

  /// Whether both have equal candles, regardless of blocks.
  public static func == (left: CandleRun, right: CandleRun) -> Bool { left.elementsEqual(right) }

  /// O(1).
  mutating func append(_ candle: Candle) {
    if (count + head) >> CandleRun.shift == blocks.count {
      var block: [Candle] = []
      // The first block grows on demand: most coarse levels stay small.
      if !blocks.isEmpty { block.reserveCapacity(CandleRun.length) }
      blocks.append(block)
    }
    blocks[blocks.count - 1].append(candle)
    count += 1
  }

  /// O(older candles), plus one pointer per existing block.
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

  mutating func popLast() -> Candle? {
    let last = last
    truncate(to: count - 1)
    return last
  }

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
