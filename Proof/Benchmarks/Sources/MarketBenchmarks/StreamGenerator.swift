import Foundation
import MarketModel

/// A seeded BitMEX market: a snapshot of about 8,000 levels, then 76 % updates, 12 % inserts, 12 %
/// deletes of 1 to 5 rows near the best price, and 5 % trades.
///
/// Ticks are half dollars; the book never crosses. Doubles shape the distributions; prices and
/// sizes are integers.
struct StreamGenerator {
  /// One side: sizes by tick, and all ticks sorted with the best last.
  private struct Ladder {
    let name: String
    let sign: Int
    var sizes: [Int: Int] = [:]
    var keys: [Int] = []

    var best: Int { -(keys.last ?? 0) * sign }

    func tick(rank: Int) -> Int { -keys[max(0, keys.count - 1 - rank)] * sign }

    mutating func load() { keys = sizes.keys.map { -$0 * sign }.sorted() }

    mutating func insert(_ tick: Int, _ size: Int) {
      sizes[tick] = size
      keys.insert(-tick * sign, at: position(-tick * sign))
    }

    mutating func remove(_ tick: Int) {
      sizes[tick] = nil
      keys.remove(at: position(-tick * sign))
    }

    private func position(_ key: Int) -> Int {
      var (low, high) = (0, keys.count)
      while low < high {
        let middle = (low + high) / 2
        if keys[middle] < key { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private var random: SplitMix64
  private var asks = Ladder(name: "Sell", sign: 1)
  private var bids = Ladder(name: "Buy", sign: -1)
  private let middle = 2 * 51_840
  private var fair: Double
  private var milliseconds: Int64 = 1_767_571_200_000

  init(seed: UInt64, levels: Int = 8000) {
    random = SplitMix64(seed: seed)
    fair = Double(middle) + 0.5
    asks = filled(asks, from: middle + 1, levels: levels / 2)
    bids = filled(bids, from: middle, levels: levels / 2)
  }

  mutating func stream(count: Int) -> MessageStream {
    var stream = MessageStream()
    let sells = asks.keys.map { row(asks, -$0, size: asks.sizes[-$0]) }
    let buys = bids.keys.reversed().map { row(bids, $0, size: bids.sizes[$0]) }
    stream.append(
      #"{"table":"orderBookL2","action":"partial","keys":["symbol","id","side"],"#
        + #""filter":{"symbol":"XBTUSD"},"data":["#
        + (sells + buys).joined(separator: ",") + "]}")
    while stream.ranges.count <= count {
      milliseconds += Int64(min(400, exponential(18)))
      fair += gauss() * 0.22
      if let text = message() { stream.append(text) }
    }
    return stream
  }

  private mutating func message() -> String? {
    let choice = uniform()
    if choice < 0.05 { return trades() }
    if choice < 0.05 + 0.95 * 0.76 { return updates() }
    return choice < 0.05 + 0.95 * 0.88 ? inserts() : deletes()
  }

  private mutating func trades() -> String {
    let side = uniform() < 0.5 ? asks : bids
    let rows = (0..<pick([1, 1, 1, 2, 2, 3])).map { index in
      let tick = side.tick(rank: uniform() < 0.25 ? index : 0)
      let size = 100 * max(1, Int(exp(gauss() * 1.2 + 1.6)))
      return
        #"{"timestamp":"\#(time(0))","symbol":"XBTUSD","#
        + #""side":"\#(side.sign > 0 ? "Buy" : "Sell")","size":\#(size),"#
        + #""price":\#(price(tick)),"tickDirection":"ZeroPlusTick","#
        + #""trdMatchID":"00000000-006d-1000-0000-000e8737d536","#
        + #""grossValue":\#(size * 1000),"homeNotional":0.0010145,"#
        + #""foreignNotional":\#(size),"trdType":"Regular"}"#
    }
    return #"{"table":"trade","action":"insert","data":[\#(rows.joined(separator: ","))]}"#
  }

  private mutating func updates() -> String {
    let count = pick([1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5])
    var seen: Set<Int> = []
    var rows: [String] = []
    var isAsk = uniform() < 0.5
    while rows.count < count {
      if uniform() < 0.3 { isAsk.toggle() }
      let rank = anyRank(isAsk ? asks.keys.count : bids.keys.count, decay: 0.105)
      let tick = isAsk ? asks.tick(rank: rank) : bids.tick(rank: rank)
      guard seen.insert(tick).inserted else { continue }
      let size = size(rank)
      if isAsk { asks.sizes[tick] = size } else { bids.sizes[tick] = size }
      rows.append(row(isAsk ? asks : bids, tick, size: size))
    }
    return change("update", rows)
  }

  private mutating func inserts() -> String? {
    var rows: [String] = []
    for _ in 0..<pick([1, 1, 1, 1, 2, 2, 3]) {
      let (low, high) = (bids.best, asks.best)
      var isAsk = uniform() < 0.5
      var tick = (isAsk ? high : low)
      if high - low > 1 {
        tick = low + 1 + Int(random.below(Int64(high - low - 1)))
        isAsk = Double(tick) > fair
      } else {
        let step = isAsk ? 1 : -1
        tick += step * (Int(exponential(60)) + 1)
      }
      if asks.sizes[tick] != nil || bids.sizes[tick] != nil { continue }
      let size = size(5)
      if isAsk { asks.insert(tick, size) } else { bids.insert(tick, size) }
      rows.append(row(isAsk ? asks : bids, tick, size: size))
    }
    return rows.isEmpty ? nil : change("insert", rows)
  }

  private mutating func deletes() -> String {
    var rows: [String] = []
    var isAsk = Double(asks.best) - fair < fair - Double(bids.best)
    for _ in 0..<pick([1, 1, 1, 1, 2, 2, 3]) {
      let best = isAsk ? asks.best : bids.best
      var tick = best
      if isAsk ? Double(best) > fair : Double(best) < fair {
        if uniform() < 0.5 { isAsk.toggle() }
        let rank = 1 + anyRank((isAsk ? asks.keys.count : bids.keys.count) - 1, decay: 0.05)
        tick = isAsk ? asks.tick(rank: rank) : bids.tick(rank: rank)
      }
      rows.append(row(isAsk ? asks : bids, tick, size: nil))
      if isAsk { asks.remove(tick) } else { bids.remove(tick) }
    }
    return change("delete", rows)
  }

  private func change(_ action: String, _ rows: [String]) -> String {
    #"{"table":"orderBookL2","action":"\#(action)","data":[\#(rows.joined(separator: ","))]}"#
  }

  private mutating func row(_ side: Ladder, _ tick: Int, size: Int?) -> String {
    let shown = size.map { #","size":\#($0)"# } ?? ""
    let id = 8_800_000_000 - tick * 50
    return
      #"{"symbol":"XBTUSD","id":\#(id),"side":"\#(side.name)"\#(shown),"price":\#(price(tick)),"#
      + #""timestamp":"\#(time(0))","transactTime":"\#(time(random.below(12)))"}"#
  }

  // MARK: Distributions

  private mutating func filled(_ empty: Ladder, from start: Int, levels: Int) -> Ladder {
    var side = empty
    var tick = start
    while side.sizes.count < levels {
      let distance = abs(tick - middle)
      let chance = distance < 60 ? 0.97 : distance < 400 ? 0.75 : distance < 4000 ? 0.45 : 0.25
      if uniform() < chance || distance <= 1 { side.sizes[tick] = size(side.sizes.count) }
      tick += side.sign
    }
    side.load()
    return side
  }

  private mutating func anyRank(_ count: Int, decay: Double) -> Int {
    if uniform() < 0.04 { return Int(random.below(Int64(count))) }
    return min(count - 1, Int(log(1 - uniform()) / log(1 - decay)))
  }

  private mutating func size(_ rank: Int) -> Int {
    100 * max(1, min(60_000, Int(exp(gauss() * 1.25 + 2.6 + Double(min(rank, 40)) * 0.02))))
  }

  private mutating func uniform() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }

  private mutating func exponential(_ mean: Double) -> Double { -mean * log(1 - uniform()) }

  private mutating func gauss() -> Double {
    (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
  }

  private mutating func pick(_ choices: [Int]) -> Int {
    choices[Int(random.below(Int64(choices.count)))]
  }

  private func price(_ tick: Int) -> String { tick % 2 == 0 ? "\(tick / 2)" : "\(tick / 2).5" }

  private func time(_ earlier: Int64) -> String {
    Timestamp(milliseconds: milliseconds - earlier).description
  }
}
