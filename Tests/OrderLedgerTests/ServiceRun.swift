import Foundation
import MarketModel
import PaperTrading
import TestSupport
import Testing

import OrderLedger
@testable import OrderService

/// A value behind a lock.
///
/// @unchecked: the value is only used under the lock.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}

/// A running service with its output; the test controls the feed, the clock and optionally the
/// disk.
struct ServiceRun {
  let service: OrderService
  let milliseconds = Locked<Int64>(1_790_000_000_000)
  let news = Locked<[TradingNews]>([])
  /// Ends the pauses of a service that waits for it; nil where pauses are real.
  let pauses: AsyncStream<Void>.Continuation?

  /// On the ledger at a path.
  init(path: String, holdsPauses: Bool = false) {
    let rules = TradingRules(oneStock: Symbol("AAPL") ?? unreachable())
    self.init(opening: EventStore.file(path, rules: rules), holdsPauses: holdsPauses)
  }

  /// On any store.
  init(
    opening open: @escaping EventStore.Opener, queue: CommandQueue = CommandQueue(),
    holdsPauses: Bool = false
  ) {
    let (milliseconds, news) = (milliseconds, news)
    let rules = TradingRules(oneStock: Symbol("AAPL") ?? unreachable())
    let clock = { @Sendable in ClockReading(milliseconds: milliseconds.with { $0 }) }
    let tell = { @Sendable (item: TradingNews) in news.with { $0.append(item) } }
    if holdsPauses {
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      pauses = end
      service = OrderService(
        rules: rules, queue: queue, clock: clock, opening: open,
        pause: { _ in for await _ in ends { return } }, tell: tell)
    } else {
      pauses = nil
      service = OrderService(
        rules: rules, queue: queue, clock: clock, opening: open, tell: tell)
    }
    service.start()
  }

  /// A tick with its time as its number, and its time of becoming late without another one.
  func tick(
    _ number: UInt64, bid: String = "45.01", _ bids: Int64 = 17, ask: String, _ asks: Int64,
    lateAt: MonotonicTime? = nil
  ) throws {
    service.receive(
      MarketTick(
        time: number, last: try decimal(ask), bid: try decimal(bid),
        bidQuantity: Quantity(units: bids), ask: try decimal(ask),
        askQuantity: Quantity(units: asks)), number: number, lateAt: lateAt)
  }

  func place(
    _ side: Side, _ quantity: String, at limit: String? = nil, named name: String
  ) async throws -> OrderResponse {
    await service.response(to: .place(try ticket(side, quantity, at: limit, named: name)))
  }

  func ticket(
    _ side: Side, _ quantity: String, at limit: String? = nil, named name: String
  ) throws -> OrderTicket {
    OrderTicket(
      clientIdentifier: try #require(ClientOrderIdentifier(name)), side: side,
      kind: limit.map { .limit(price: $0) } ?? .market, quantity: quantity)
  }

  /// Waits until all earlier inputs are handled.
  func settle() async { _ = await service.history() }

  func pass(_ more: Int64) { milliseconds.with { $0 += more } }

  var overview: TradingOverview? {
    news.with { all in
      all.lazy.reversed().compactMap { item -> TradingOverview? in
        if case .overview(let overview) = item { return overview }
        return nil
      }.first
    }
  }

  /// The orders of the latest overview, newest first, as "STATUS filled/ordered".
  var lines: [String] {
    (overview?.reports ?? []).map { report in
      "\(report.order.life.status.rawValue) \(report.receipt.filled.units)"
        + "/\(report.receipt.ordered.units)"
    }
  }

  var notices: [OrderNotice] {
    news.with { all in
      all.flatMap { item -> [OrderNotice] in
        if case .notices(let notices) = item { return notices }
        return []
      }
    }
  }

  private func decimal(_ text: String) throws -> FixedDecimal { try #require(FixedDecimal(text)) }
}

/// A store in memory that can block and fail.
final class ScriptedStore: Sendable {
  struct State {
    var events: [OrderEvent] = []
    var commits: [Int] = []
    var failure: LedgerError?
    var openings = 0
  }

  let state = Locked(State())
  let isHeld = Locked(false)
  let reached = DispatchSemaphore(value: 0)
  let release = DispatchSemaphore(value: 0)

  /// Opens with the stored events.
  var opener: EventStore.Opener {
    { (_: Timestamp) throws(LedgerError) -> EventStore.Opened in
      let (failure, events) = self.state.with { state in
        state.openings += 1
        return (state.failure, state.events)
      }
      if let failure { throw failure }
      guard let history = try? OrderHistory(replaying: events) else { throw .notFound(path: "") }
      let store = EventStore(
        append: { (events: [OrderEvent]) throws(LedgerError) -> String in
          try self.append(events)
        }, close: {})
      return EventStore.Opened(store: store, history: history, head: "\(events.count)")
    }
  }

  private func append(_ events: [OrderEvent]) throws(LedgerError) -> String {
    if isHeld.with({ $0 }) {
      reached.signal()
      if !release.waitPatiently() { Issue.record("nobody let the store go on") }
    }
    let failure = state.with { state in
      if state.failure == nil {
        state.events += events
        state.commits.append(events.count)
      }
      return state.failure
    }
    if let failure { throw failure }
    return "\(events.count)"
  }
}
