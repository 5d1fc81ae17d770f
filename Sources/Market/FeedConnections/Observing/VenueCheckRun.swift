public import MarketModel
public import MarketStreams
import NIOConcurrencyHelpers
public import NIOCore
import VenueProtocols

/// Drives a ``MarketStreams/VenueCheck`` by the events of a hub.
public final class VenueCheckRun: Sendable {
  /// How often the check's time advances.
  private static let step = TimeAmount.milliseconds(100)

  private struct State {
    var check: VenueCheck
    var observations: [FeedObservation] = []
    var book: FeedObservation?
    var timer: RepeatedTask?
  }

  private let clock: HubClock
  private let venue: Venue
  private let box: NIOLockedValueBox<State>

  /// Creates a run of so many milliseconds; ``start(_:)`` begins it.
  public init(
    _ instrument: InstrumentKey, others: [Symbol] = [], milliseconds: Int64,
    clock: HubClock = .live
  ) {
    (self.clock, venue) = (clock, instrument.venue)
    let check = VenueCheck(instrument, others: others, milliseconds: milliseconds, at: clock.now())
    box = NIOLockedValueBox(State(check: check))
  }

  /// Examines a connection's messages; call before the hub gets the configuration.
  public func examineMessages(of configuration: inout VenueConfiguration) {
    configuration.onRawMessage = { [box] _, bytes, now in
      box.withLockedValue { $0.check.receive(Array(bytes.readableBytesView), at: now) }
    }
  }

  /// Starts the hub and observes what the check needs.
  public func start(_ hub: FeedHub) {
    let trades = box.withLockedValue { MarketKey(venue, .trades, $0.check.instrument.symbol) }
    let observations = [
      hub.observe(box.withLockedValue(\.check.keys)) { [self] _, value in
        apply { $0.receive(value, at: $1) }
      },
      hub.observeEvents([trades]) { [self] _, event, now in
        box.withLockedValue { $0.check.receive(event, at: now) }
      },
      hub.observeConnections { [self] status in apply { $0.receive(status, at: $1) } },
    ]
    hub.start()
    let timer = hub.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.step) {
      [self, weak hub] _ in
      if let hub { advance(hub) }
    }
    box.withLockedValue { ($0.observations, $0.timer) = (observations, timer) }
  }

  /// Requests candles of a minute for the check.
  public func requestCandles(from venues: any VenueAsking, on loop: any EventLoop) async {
    let instrument = box.withLockedValue(\.check.instrument)
    guard let reader = HistoryReader(instrument, asking: venues, on: loop) else { return }
    let candles: Result<VenueCandles, HistoryFailure>
    do throws(HistoryFailure) {
      candles = .success(try await reader.candles(.minute))
    } catch {
      candles = .failure(error)
    }
    box.withLockedValue { $0.check.receive(candles) }
  }

  /// Ends the observations and returns the findings.
  public func finish() -> [VenueCheck.Finding] {
    let now = clock.now()
    return box.withLockedValue { state in
      state.timer?.cancel()
      for observation in state.observations { observation.cancel() }
      state.book?.cancel()
      (state.timer, state.observations, state.book) = (nil, [], nil)
      return state.check.findings(at: now)
    }
  }

  private func apply(_ change: (inout VenueCheck, ClockReading) -> Void) {
    let now = clock.now()
    box.withLockedValue { change(&$0.check, now) }
  }

  /// Advances the check's time, and observes the book or not.
  private func advance(_ hub: FeedHub) {
    let now = clock.now()
    let missing: MarketKey? = box.withLockedValue { state in
      guard state.timer != nil else { return nil }
      state.check.advance(to: now)
      if state.check.wantsBook { return state.book == nil ? state.check.bookKey : nil }
      state.book?.cancel()
      state.book = nil
      return nil
    }
    guard let missing else { return }
    // Outside the lock, which the handler takes.
    let book = hub.observe([missing]) { [self] _, value in apply { $0.receive(value, at: $1) } }
    box.withLockedValue { state in
      if state.timer == nil { book.cancel() } else { state.book = book }
    }
  }
}
