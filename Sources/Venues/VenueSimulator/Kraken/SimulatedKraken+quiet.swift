// Pairs whose books are open only for subscribers, with a past by formula.

import MarketModel
import OrderMatching

/// A market whose book is open only while it has subscribers.
struct KrakenQuietMarket: Sendable {
  /// The time up to which the tape is filled by the formula; nil while the book is open.
  var told: Timestamp?
  /// When it last had a subscriber.
  var heard: Timestamp
  /// Its figures in the latest public call.
  var row: KrakenTickerRow?
}

extension SimulatedKraken {
  /// How long a quiet book stays open after the last subscriber, in milliseconds.
  static let quietMilliseconds: Int64 = 60_000
  /// Maximum open quiet books without a subscriber; beyond it the ones opened first close.
  static let mostUnheard = 48
  /// Maximum quiet pairs with cached hours; beyond it the ones requested first are dropped.
  static let mostRemembered = 64

  /// The number of the first trade after the start; all earlier ones have room below it.
  static func firstTrade(of place: Int) -> Int64 { 10_000_000 * Int64(place + 1) + 1 }

  /// The index of a pair by its place in the directory; adds the pair if needed.
  mutating func index(at place: Int) -> Int {
    if let index = places[place] { return index }
    let pair = directory.pairs[place]
    let index = market.add(pair.listing)
    pairs.append(pair)
    tapes.append(market.tapeUntilStart(of: index, first: Self.firstTrade(of: place)))
    touches.append(KrakenTouch(market.instruments[index].top, at: begin))
    figures.append(nil)
    quiet.append(KrakenQuietMarket(told: begin, heard: begin))
    places[place] = index
    return index
  }

  /// Fills the tape of a closed book up to a time.
  mutating func tell(_ index: Int, until now: Timestamp) {
    guard let told = quiet[index]?.told, told < now else { return }
    tapes[index].fill(from: told, to: now)
    quiet[index]?.told = now
  }

  mutating func open(_ index: Int, at now: Timestamp) {
    guard quiet[index]?.told != nil else { return }
    closeSurplus(at: now)
    tell(index, until: now)
    market.open(index, at: now)
    touches[index] = KrakenTouch(market.instruments[index].top, at: now)
    quiet[index]?.told = nil
    quiet[index]?.heard = now
    openQuiet.append(index)
  }

  /// Closes the quiet books that have had no subscriber for a while.
  mutating func closeUnheard(at time: Timestamp) {
    for index in openQuiet {
      guard let heard = quiet[index]?.heard else { continue }
      if clients.isHeard(index) {
        quiet[index]?.heard = max(heard, time)
      } else if time.milliseconds(since: heard) >= Self.quietMilliseconds {
        close(index, at: time)
      }
    }
    closeSurplus(at: time)
  }

  /// Closes excess quiet books: a client that scrolls through all pairs opens each for a moment.
  private mutating func closeSurplus(at time: Timestamp) {
    guard openQuiet.count > Self.mostUnheard else { return }
    let unheard = openQuiet.filter { !clients.isHeard($0) }
    for index in unheard.dropLast(Self.mostUnheard) { close(index, at: time) }
  }

  /// Records a pair whose past was requested, to bound the cached hours.
  mutating func remember(_ index: Int) {
    guard quiet[index] != nil, remembered.last != index else { return }
    remembered.removeAll { $0 == index }
    remembered.append(index)
    guard remembered.count > Self.mostRemembered else { return }
    tapes[remembered.removeFirst()].forgetFormula()
  }

  /// Closes the quiet books without subscribers whose next step has long been due.
  mutating func closeOverdue(at now: Timestamp) {
    if openQuiet.isEmpty { return }
    for (index, due) in market.overdue(at: now)
    where quiet[index] != nil && !clients.isHeard(index) {
      close(index, at: due)
    }
  }

  private mutating func close(_ index: Int, at time: Timestamp) {
    market.close(index)
    quiet[index]?.told = time
    openQuiet.removeAll { $0 == index }
    for depth in Self.depths { published[.book(pair: index, depth: depth)] = nil }
  }

  /// The top of a pair's book; of a closed one the quote of its makers at the start of the minute.
  func top(of index: Int, at now: Timestamp) -> MarketTop {
    let instrument = market.instruments[index]
    guard quiet[index]?.told != nil else { return instrument.top }
    let minute = MarketTape.minute(MarketTape.microseconds(now)) * PastTrading.minute
    let time = Timestamp(nanoseconds: minute * 1000)
    let ticks = max(1, instrument.value.ticks(at: market.microseconds(at: time)))
    var chance = SplitMix64(seed: SeedText.seed(UInt64(bitPattern: minute), pairs[index].symbol))
    func level(_ ticks: Int64) -> BookLevel {
      let lots = instrument.listing.activity.meanLots * (1 + chance.below(9)) / 5 + 1
      return BookLevel(price: Price(units: ticks), quantity: Quantity(units: lots), orders: 1)
    }
    return MarketTop(
      bid: level(ticks), ask: level(ticks + 1),
      last: Price(units: tapes[index].last?.ticks ?? ticks))
  }
}

/// A pair's row in the figures of all pairs, with the minute and the last trade that it covers.
struct KrakenTickerRow: Sendable {
  let minute: Int64
  let lastTrade: Int64
  let bytes: [UInt8]
}
