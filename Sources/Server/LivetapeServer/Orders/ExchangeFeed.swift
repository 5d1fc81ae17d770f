import FeedConnections
import MarketModel
import MarketStreams
import NIOCore
import SocketTransport

/// The exchange's feed for orders: every tick without conflation, and the freshness shown on the
/// exchange's screen, so that no order trades on a price that the page reports as stale.
final class ExchangeFeed: Sendable {
  private let loop: any EventLoop
  private let clock: HubClock
  private let box: NIOLoopBoundBox<State>

  private struct State {
    var gate: ExchangeFeedGate
    var observations: [FeedObservation] = []
    var deliver: ((ExchangeUpdate) -> Void)?
  }

  init(symbol: Symbol, loop: any EventLoop, clock: HubClock) {
    (self.loop, self.clock) = (loop, clock)
    box = NIOLoopBoundBox.makeBoxSendingValue(
      State(gate: ExchangeFeedGate(symbol: symbol)), eventLoop: loop)
  }

  /// Starts the feed; on the loop, where `deliver` is called too.
  func start(feeds: FeedHub, _ deliver: @escaping (ExchangeUpdate) -> Void) {
    box.value.deliver = deliver
    let keys = box.value.gate.wanted
    box.value.observations = [
      feeds.observeEvents(keys) { key, event, arrival in
        self.loop.perform { self.take(.event(key, event), at: arrival) }
      },
      feeds.observe(keys) { key, value in
        self.loop.perform { self.take(.value(key, value), at: self.clock.now()) }
      },
      feeds.observeConnections { status in
        self.loop.perform { self.take(.connection(status), at: self.clock.now()) }
      },
    ]
  }

  func stop() {
    loop.execute {
      for observation in self.box.value.observations { observation.cancel() }
      self.box.value.observations = []
      self.box.value.deliver = nil
    }
  }

  private func take(_ input: StreamInput, at now: ClockReading) {
    guard let update = box.value.gate.receive(input, at: now) else { return }
    box.value.deliver?(update)
  }
}
