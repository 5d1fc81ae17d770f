import Logging
import MarketModel
import NIOCore
import NIOEmbedded
import SocketTransport
import VenueProtocols

@testable import FeedConnections
@testable import PhoneApp
@testable import PhoneStores

private final class EchoTransport: FeedTransport {
  private let deliver: (TransportEvent) -> Void
  private let loop: any EventLoop

  init(_ loop: any EventLoop, _ deliver: @escaping (TransportEvent) -> Void) {
    self.loop = loop
    self.deliver = deliver
    loop.execute { [deliver = NIOLoopBound(deliver, eventLoop: loop)] in
      deliver.value(.connected)
      deliver.value(.opened)
    }
  }

  func send(_ message: OutboundMessage) {
    let deliver = NIOLoopBound(deliver, eventLoop: loop)
    loop.execute { deliver.value(.message(ByteBuffer(bytes: message.bytes), .text)) }
  }

  func ping() {}

  func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    loop.makeSucceededVoidFuture()
  }
}

/// The app's live client on the real hub and protocol, over a simulated socket that echoes
/// synchronously, as the echo server would.
final class EchoServer: Sendable {
  let loop = NIOAsyncTestingEventLoop()
  let hub: FeedHub
  let candles: CandleService
  let survey: SurveyService
  let clock: HubClock
  private let opened = Counter()

  init() {
    let (loop, opened) = (loop, opened)
    clock = HubClock { ClockReading(milliseconds: Int64(loop.now.uptimeNanoseconds) / 1_000_000) }
    hub = FeedHub(
      venues: VenueList(MarketChoice(.server, server: "http://venues.test")).connections(
        token: nil, seed: 7
      )
      .filter { $0.session.venue == .echo },
      loop: loop, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock,
      frameMilliseconds: 16, lingerMilliseconds: 250,
      connector: { _, loop, deliver in
        opened.add()
        return EchoTransport(loop, deliver)
      })
    candles = CandleService(
      feeds: hub, addresses: [], origin: .simulated, recorded: [], store: nil, clock: clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    survey = SurveyService(
      feeds: hub, candles: candles, venues: VenueHTTP([], on: loop), clock: clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  var sockets: Int { opened.count }

  /// Advances the hub's time and lets the results reach the main thread.
  @MainActor func pass(_ milliseconds: Int64) async {
    for _ in 0..<max(1, milliseconds / 100) {
      await loop.advanceTime(by: .milliseconds(min(100, milliseconds)))
      for _ in 0..<5 { await Task.yield() }
    }
  }
}
