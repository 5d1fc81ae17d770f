// Alerts against a plain oracle: random trades, repeats, unobserved times and restarts.

import MarketModel
import Testing

@testable import PriceAlerts

/// One alert over its whole history, with no state but the prices so far.
private struct Oracle {
  let level: Int64
  let repeats: Bool
  var prices: [Int64] = []
  var count = 0

  mutating func take(_ price: Int64) -> Bool {
    defer { prices.append(price) }
    guard let last = prices.last, last != level, repeats || count == 0 else { return false }
    guard last < level ? price >= level : price <= level else { return false }
    count += 1
    return true
  }
}

@Suite struct AlertPropertyTests {
  @Test(arguments: (1...16).map { UInt64($0) })
  func `despite repeats, losses and restarts, each crossing is reported once`(_ seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    var book = AlertBook()
    var oracles: [Oracle] = []
    for _ in 0..<12 {
      let (level, repeats) = (95 + random.below(11), random.below(2) == 0)
      if oracles.contains(where: { $0.level == level }) { continue }
      try book.add(
        xbt, .price(FixedDecimal(units: level, scale: .whole)), repeats: repeats, at: time(0))
      oracles.append(Oracle(level: level, repeats: repeats))
    }
    var sent: [AlertTrade] = []
    var lostSince: Timestamp?
    for number in 1...Int64(400) {
      let now = time(number)
      switch random.below(12) {
      case 0:
        book.mark(at: now)
        let copy = try AlertBook(decoding: book.json.span)
        #expect(copy.json == book.json, "seed \(seed)")
        book = copy
        book.resume(at: now)
        lostSince = lostSince ?? now
      case 1:
        book.lose(xbt, since: now)
        lostSince = lostSince ?? now
      case 2: book.see(xbt, at: now)
      case 3, 4:
        for old in sent.suffix(Int(random.below(30))) {
          let again = book.receive(old, of: xbt, at: now)
          #expect(again.isEmpty, "seed \(seed), number \(number)")
        }
      default:
        let price = 94 + random.below(13)
        // Some are stamped ahead of the clock.
        let lead = random.below(4) == 0 ? random.below(5) : 0
        let next = trade(price * 100, at: number / 3 + lead, id: number, arrival: UInt64(number))
        let expected = oracles.indices.filter { oracles[$0].take(price) }.map { $0 + 1 }
        let isFollowed = !book.followed.isEmpty
        let firings = book.receive(next, of: xbt, at: now)
        #expect(firings.map(\.alert) == expected, "seed \(seed), number \(number)")
        #expect(firings.allSatisfy { $0.blindSince == lostSince }, "seed \(seed), number \(number)")
        if isFollowed { lostSince = nil }
        sent.append(next)
      }
      if book.followed.isEmpty { return }
    }
    #expect(book.firings.map(\.number) == book.firings.map(\.number).sorted())
    #expect(book.firings.count <= AlertBook.maximumFirings)
    #expect(book.blindSpans.count <= AlertBook.maximumBlindSpans)
  }
}
