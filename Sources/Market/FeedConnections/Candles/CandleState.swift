// What the candle service holds on its event loop.

import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import NIOCore
import VenueProtocols

/// A venue whose history can be asked for.
struct HistorySource {
  let venue: Venue
  let history: VenueHistory
  var queue: HistoryQueue
  /// Whether patient questions are looked at again soon.
  var isPumpDue = false
}

/// Somebody who waits for the venue's history.
struct WaitingPage {
  let instrument: InstrumentKey
  let interval: CandleInterval
  let promise: EventLoopPromise<CandlePage?>
  let timeout: Scheduled<Void>
}

/// The state of a candle service.
struct CandleState {
  var streams = CandleStreams()
  var sources: [HistorySource]
  var observers: [InstrumentKey: [UInt64: @Sendable (CandleStreamState) -> Void]] = [:]
  var observations: [InstrumentKey: [FeedObservation]] = [:]
  var statuses: [Venue: ConnectionStatus] = [:]
  /// When somebody asked for an instrument's candles last.
  var askedAt: [InstrumentKey: MonotonicTime] = [:]
  var waiting: [WaitingPage] = []
  /// The small lines of lists.
  var board = SparkBoard()
  var sparks: [InstrumentKey: SparkWait] = [:]
  /// How many wait for lines.
  var sparkWaiting = 0
  var nextSparkWaiter: UInt64 = 0
  /// Streams whose value may be another.
  var unread: Set<InstrumentKey> = []
  var pacer = FramePacer(intervalMilliseconds: CandleService.frameMilliseconds)
  var connections: FeedObservation?
  var timer: RepeatedTask?
  var isOver = false

  mutating func end() {
    isOver = true
    timer?.cancel()
    connections = nil
    observations = [:]
    observers = [:]
    for page in waiting {
      page.timeout.cancel()
      page.promise.succeed(nil)
    }
    waiting = []
    for waiter in sparks.values.flatMap(\.promises.values) {
      waiter.timeout.cancel()
      waiter.promise.succeed(.late)
    }
    sparks = [:]
  }
}
