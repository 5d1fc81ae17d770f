import MarketModel

/// Counters of the topic server since its start.
struct TopicCounts: Equatable, Sendable {
  var frames: UInt64 = 0
  /// Stream changes conflated into the next frame.
  var conflated: UInt64 = 0
  /// How often a page's socket was full.
  var fallenBehind: UInt64 = 0
}

/// The kind of reader behind a page record.
package enum PageReader: Sendable {
  /// A page: frames of snapshots and patches.
  case page
  /// A script's socket: whole objects.
  case script
  /// Scripts over HTTP, which are notified of changes and then read.
  case scripts
}

struct PageRecord: Sendable {
  let isViewer: Bool
  /// nil if per-visitor limits don't apply.
  let visitor: Visitor?
  let reader: PageReader
  /// Whether it fetches large states itself.
  var fetchesDocuments = false
  var topics: [String: PageTopic] = [:]
  /// Topics that open once the visitor closes others.
  var waiting: Set<String> = []
  /// Schedules its frames.
  ///
  /// Pages share few phases, so that one patch serves many of them.
  var pacer = FramePacer(intervalMilliseconds: TopicServer.frameMilliseconds, phases: 8)
  /// Whether the next frame counts for the pace even if it is empty.
  var nextFrameCounts = false
  /// Its socket is full: no patches until it drains.
  var isBehind = false
  /// A ping received while the page is behind; its pong follows the whole states, because what the
  /// page has is old.
  var ping: Int64?
  /// Bytes of responses written to the full socket.
  var waitingBytes = 0
  private var frames = 0
  var errors = 0
  var measures: FrameMeasures
  var asksUnderWay = 0
  private var secondStarted: MonotonicTime
  private var messagesThisSecond = 0
  private var productsThisSecond = 0

  init(
    connectedAt now: ClockReading, isViewer: Bool = false, visitor: Visitor? = nil,
    reader: PageReader = .page
  ) {
    (self.isViewer, self.visitor, self.reader) = (isViewer, visitor, reader)
    secondStarted = now.monotonic
    measures = FrameMeasures(connectedAt: now.monotonic)
  }

  /// The socket is full: after draining, it needs whole states.
  mutating func fallBehind() {
    isBehind = true
    for name in topics.keys { topics[name]?.held = nil }
    pacer.frameSkipped()
  }

  mutating func countFrame() -> Int {
    frames += 1
    return frames
  }

  /// Counts a message; false if the page exceeds its rate.
  mutating func countMessage(at now: ClockReading, limit: Int) -> Bool {
    if now.monotonic.milliseconds(since: secondStarted) >= 1000 {
      secondStarted = now.monotonic
      messagesThisSecond = 0
      productsThisSecond = 0
    }
    messagesThisSecond += 1
    return messagesThisSecond <= limit
  }

  /// Counts an opened product within the second of the latest message; false beyond the limit.
  mutating func countProduct(limit: Int) -> Bool {
    productsThisSecond += 1
    return productsThisSecond <= limit
  }
}

struct PageTopic: Sendable {
  /// A state that the page was sent.
  struct Held: Sendable {
    let version: Int
    let value: PageValue
  }

  /// The base of the next patch; nil if the page needs the whole state.
  var held: Held?
  private var sent = 0

  /// Counts a patch or snapshot; returns its number.
  mutating func countPart() -> Int {
    defer { sent += 1 }
    return sent
  }
}

/// A topic that at least one page has open.
struct TopicSlot: Sendable {
  var screen: any TopicScreen
  var pages: Set<PageID> = []
  var fetching: Set<Symbol> = []
  /// The last encoded state; nil before the first frame.
  var value: PageValue?
  /// Counts changes of ``value``.
  var version = 0
  /// The sequence number of a version for scripts.
  var sequence: (version: Int, number: Int64)?
  /// Whether ``value`` may be outdated.
  var isDirty = true

  /// Re-encodes the state if it may have changed.
  mutating func refresh() -> PageTopic.Held {
    let present: PageValue
    if let value, !isDirty { present = value } else { present = screen.page }
    isDirty = false
    if present != value {
      value = present
      version += 1
    }
    return PageTopic.Held(version: version, value: present)
  }
}
