import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import NIOCore
import VenueProtocols

struct HistorySource {
  let venue: Venue
  let history: VenueHistory
  var queue: HistoryQueue
  /// The next pump for charts while they wait for the venue's rate limit.
  var pumpTimer: Scheduled<Void>?
  /// Whether a pump for patient requests is scheduled.
  var isPumpDue = false
}

struct WaitingPage {
  let instrument: InstrumentKey
  let interval: CandleInterval
  let promise: EventLoopPromise<CandlePage?>
  let timeout: Scheduled<Void>
}

struct CandleState {
  var streams = CandleStreams()
  var sources: [HistorySource]
  var observers: [InstrumentKey: [UInt64: @Sendable (CandleStreamState) -> Void]] = [:]
  var observations: [InstrumentKey: [FeedObservation]] = [:]
  var statuses: [Venue: ConnectionStatus] = [:]
  /// When an instrument's candles were last requested.
  var askedAt: [InstrumentKey: MonotonicTime] = [:]
  var waiting: [WaitingPage] = []
  var board = SparkBoard()
  var sparks: [InstrumentKey: SparkWait] = [:]
  var sparkWaiting = 0
  var nextSparkWaiter: UInt64 = 0
  /// Streams whose value may have changed.
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
