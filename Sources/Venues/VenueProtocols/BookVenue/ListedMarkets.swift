import MarketModel
import OrderBook

/// The latest whole list of a venue's instruments; it outlives connections.
struct ListedMarkets: Sendable {
  /// More pages than any venue's list has.
  private static let maximumPages = 32

  enum Change: Equatable {
    case none
    /// Another page is to be requested.
    case page(String)
    /// The list is replaced.
    case whole
    case failure(ListFailure)
  }

  private(set) var rows: [Symbol: ListedRow] = [:]
  /// The same for display, sorted by symbol.
  private(set) var instruments: [ListedInstrument] = []
  /// Why the latest list did not come; nil if it came.
  private(set) var failure: ListFailure?
  /// When the latest whole list came.
  var receivedAt: ClockReading?
  /// What the latest response changed.
  private(set) var change = Change.none
  /// The pages of a list that is not whole yet, and where the next one begins.
  private var pending: (rows: [ListedRow], count: Int, next: String) = ([], 0, "")

  /// The messages that carry the list over to another session, and how long none is requested.
  var messages: [[UInt8]] {
    let listed = instruments.compactMap { rows[$0.symbol] }
    return (listed.isEmpty ? [] : [InstrumentList.message(listed)])
      + (failure.map { [InstrumentList.message($0)] } ?? [])
  }

  mutating func interrupt() { pending = ([], 0, "") }

  mutating func apply(_ outcome: ListOutcome) {
    switch outcome {
    case .failed(let failure): fail(failure)
    case .page(let page, from: let start):
      change = .none
      if start.isEmpty { interrupt() } else if start != pending.next { return }
      pending.rows += page.rows
      pending.count += 1
      pending.next = page.next
      guard page.next.isEmpty else {
        guard pending.count < Self.maximumPages, page.next != start, Self.isCursor(page.next),
          pending.rows.count <= InstrumentList.maximumCount
        else { return fail("a list without an end") }
        change = .page(page.next)
        return
      }
      replace(pending.rows)
    }
  }

  private mutating func replace(_ listed: [ListedRow]) {
    guard !listed.isEmpty else { return fail("none listed") }
    guard listed.count <= InstrumentList.maximumCount else { return fail("too many listed") }
    var bySymbol: [Symbol: ListedRow] = [:]
    bySymbol.reserveCapacity(listed.count)
    for row in listed {
      guard bySymbol.updateValue(row, forKey: row.instrument.symbol) == nil else {
        return fail("\(row.instrument.symbol) is listed twice")
      }
    }
    interrupt()
    (failure, change) = (nil, .whole)
    // Keeps the same array if nothing changed, so that later comparisons are cheap.
    guard bySymbol != rows else { return }
    rows = bySymbol
    let present = bySymbol.values.map(\.instrument).sorted { $0.symbol < $1.symbol }
    if present != instruments { instruments = present }
  }

  private mutating func fail(_ text: String) { fail(ListFailure(status: 200, text: text)) }

  private mutating func fail(_ failure: ListFailure) {
    interrupt()
    (self.failure, change) = (failure, .failure(failure))
  }

  /// Whether a cursor can be sent back as it came.
  private static func isCursor(_ text: String) -> Bool {
    text.utf8.count <= 512
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "%"), UInt8(ascii: "-"),
          UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "="),
          UInt8(ascii: ","):
          true
        default: false
        }
      }
  }
}

/// When the pages of the list are requested; pauses after failures outlive the connection.
struct ListSchedule: Sendable {
  /// Between two lists; the venues announce no change of one.
  static let milliseconds: Int64 = 300_000

  private var queue = RequestQueue<String>()
  private var listedAt: MonotonicTime?

  mutating func forgetConnection() { queue.forgetConnection() }

  /// The page to request; nil when none is due.
  mutating func next(at now: MonotonicTime) -> String? {
    let isDue = listedAt.map { now.milliseconds(since: $0) >= Self.milliseconds } ?? true
    if isDue, queue.isIdle, queue.open == nil { queue.add("", earliest: now) }
    return queue.next(at: now, cost: { _ in 0 }, wanted: { _ in true })
  }

  mutating func turn(to page: String, at now: MonotonicTime) {
    if let open = queue.open?.request { queue.finish(open) }
    queue.add(page, earliest: now)
  }

  mutating func succeed(at now: MonotonicTime) {
    queue.forgetConnection()
    queue.succeed("")
    listedAt = now
  }

  /// Requests the list again from its first page after a pause, which doubles with each failure.
  mutating func delay(atLeast milliseconds: Int64, at now: MonotonicTime) {
    queue.forgetConnection()
    queue.delay("", atLeast: milliseconds, isWanted: true, at: now)
  }
}

// MARK: - Markets

extension BookMarket {
  /// Applies a response to a request for the list; a list replaces the last one only as a whole.
  mutating func applyList(_ outcome: ListOutcome, _ now: ClockReading) {
    list.apply(outcome)
    guard list.change == .whole else { return }
    list.receivedAt = now
    for number in instruments.indices {
      let row = list.rows[instruments[number].symbol]
      guard row != instruments[number].listed else { continue }
      instruments[number].listed = row
      Venue.accept(number, in: &self)
      for channel in [Channel.book, .trades, .quote, .figures] { note(number, channel) }
    }
  }

  /// Whether the list has an instrument as one that can't be traded now.
  func isListedClosed(_ number: Int) -> Bool {
    instruments[number].listed?.instrument.isOpen == false
  }

  /// The list; live while each comes in time: a connection without streams may be silent.
  func listing(at now: ClockReading) -> VenueListing {
    var freshness = connectionFreshness(at: now)
    if let received = list.receivedAt {
      let late = 2 * ListSchedule.milliseconds
      let isLate = now.monotonic.milliseconds(since: received.monotonic) > late
      freshness = onLink(
        Freshness(
          state: isLate ? .late : .live, origin: origin, confirmedAt: received,
          lateAfterMilliseconds: late))
    }
    if list.failure != nil {
      freshness = onLink(freshness.changed(to: .resyncing))
    } else if list.instruments.isEmpty {
      freshness = onLink(.waiting(origin))
    }
    return VenueListing(instruments: list.instruments, freshness: freshness)
  }
}

extension BookSession {
  /// The due request for a page of the list, while any stream is wanted.
  mutating func fetchList(at now: ClockReading) -> [SessionEffect] {
    guard let list = Venue.list, link == .ready, !wanted.isEmpty else { return [] }
    return lists.next(at: now.monotonic).map { [.fetch(list.request(from: $0))] } ?? []
  }

  /// Handles the response that the market has applied.
  mutating func afterList(at now: ClockReading) -> [SessionEffect] {
    let news = wanted.filter { $0 == .listing }.map(SessionEffect.changed)
    switch market.list.change {
    case .none: return []
    case .page(let page):
      lists.turn(to: page, at: now.monotonic)
      return fetchList(at: now)
    case .whole:
      lists.succeed(at: now.monotonic)
      let effects = afterRows(at: now) + news
      return link == .ready ? effects + askForDifference(at: now) : effects
    case .failure(let failure):
      let wait = failure.waitMilliseconds
      lists.delay(atLeast: wait, at: now.monotonic)
      let profile = Venue.profile
      let problem = profile.problem(
        wait > 0 ? .rateLimited(retryAfterSeconds: Int(wait / 1000)) : .venueError,
        "\(profile.name) list of markets: \(failure.description)",
        userMessage: "\(profile.name)'s list of markets did not arrive. It will be requested again."
      )
      return [.rejected(problem)] + news
    }
  }
}

// MARK: - Steps

extension BookVenue where Decoder: SpelledDecoder, Sync: TopComparingSync {
  static func scales(_ number: Int, in market: BookMarket<Self>) -> BookScales {
    market.decoder.spelled[number]
  }

  static func priceDecimals(_ number: Int, in market: BookMarket<Self>) -> Scale {
    let scale = market.decoder.spelled[number].price
    return market.instruments[number].listed?.priceStep.map { min(scale, $0.trimmed.scale) }
      ?? scale
  }

  static func tick(_ number: Int, in market: BookMarket<Self>) -> Price {
    let scale = market.decoder.spelled[number].price
    let step = market.instruments[number].listed?.priceStep?.exactly(at: scale)
    return Price(units: step?.units ?? 1)
  }

  /// Applies the listed steps' digits, before the venue has written any.
  static func accept(_ number: Int, in market: inout BookMarket<Self>) {
    guard let listed = market.instruments[number].listed else { return }
    let steps = BookScales(
      price: listed.priceStep?.trimmed.scale ?? .whole,
      quantity: listed.sizeStep?.trimmed.scale ?? .whole)
    if market.decoder.spelled.raise(number, to: steps) { market.applyRaisedScales() }
  }
}
