// What the topic server remembers of one page and of one topic.

import MarketModel

/// What the topic server has done since its start; plain numbers, read by whoever asks for them.
struct TopicCounts: Equatable, Sendable {
  /// Frames made for pages.
  var frames: UInt64 = 0
  /// Changes of streams that went into the next frame with an earlier one.
  var conflated: UInt64 = 0
  /// How often a page's socket was full.
  var fallenBehind: UInt64 = 0
}

/// Who reads what a page's record is sent.
package enum PageReader: Sendable {
  /// A page: frames of snapshots and patches.
  case page
  /// A script's socket: whole objects.
  case script
  /// Scripts over HTTP: who answers them is told that something changed, and reads.
  case scripts
}

/// One page's connection.
struct PageRecord: Sendable {
  /// Whether it may change nothing.
  let isViewer: Bool
  /// Whose page it is; nil where that makes no difference.
  let visitor: Visitor?
  /// How it is told what changed.
  let reader: PageReader
  /// Whether it fetches large states itself.
  var fetchesDocuments = false
  /// Its open topics, by name.
  var topics: [String: PageTopic] = [:]
  /// Topics that open once its visitor has closed others.
  var waiting: Set<String> = []
  /// When it gets its frames.
  ///
  /// Pages fall on few moments, so that one patch serves many of them.
  var pacer = FramePacer(intervalMilliseconds: TopicServer.frameMilliseconds, phases: 8)
  /// The next frame counts for the pace even if it turns out to have nothing to show.
  var nextFrameCounts = false
  /// Its socket is full: no patches until it drains.
  var isBehind = false
  /// A question whether the server is there, asked while the page is behind: what it holds is old,
  /// so the answer follows the whole states.
  var ping: Int64?
  /// Bytes of answers given to its socket while it is full.
  var waitingBytes = 0
  private var frames = 0
  /// Bad messages it has sent.
  var errors = 0
  /// Frames that this page is to tell the times of.
  var measures: FrameMeasures
  /// Commands about orders that have no response yet.
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

  /// Its socket is full: once it has drained, it needs everything whole.
  mutating func fallBehind() {
    isBehind = true
    for name in topics.keys { topics[name]?.held = nil }
    pacer.frameSkipped()
  }

  /// Counts a frame; returns its number.
  mutating func countFrame() -> Int {
    frames += 1
    return frames
  }

  /// Counts a message; false when the page talks too fast.
  mutating func countMessage(at now: ClockReading, limit: Int) -> Bool {
    if now.monotonic.milliseconds(since: secondStarted) >= 1000 {
      secondStarted = now.monotonic
      messagesThisSecond = 0
      productsThisSecond = 0
    }
    messagesThisSecond += 1
    return messagesThisSecond <= limit
  }

  /// Counts the opening of a product within the second of the latest message; false when there are
  /// too many.
  mutating func countProduct(limit: Int) -> Bool {
    productsThisSecond += 1
    return productsThisSecond <= limit
  }
}

/// One topic as one page has it.
struct PageTopic: Sendable {
  /// A state that the page was sent.
  struct Held: Sendable {
    /// Its number at the topic server.
    let version: Int
    let value: PageValue
  }

  /// What the next patch starts from; nil when the page needs the whole state.
  var held: Held?
  private var sent = 0

  /// Counts a patch or a snapshot; returns its number.
  mutating func countPart() -> Int {
    defer { sent += 1 }
    return sent
  }
}

/// One topic that at least one page has open.
struct TopicSlot: Sendable {
  /// The screen behind it.
  var screen: any TopicScreen
  /// Who has it open.
  var pages: Set<PageID> = []
  /// Products that it waits for.
  var fetching: Set<Symbol> = []
  /// Its state as it was written last; nil before the first frame.
  var value: PageValue?
  /// Counts up whenever ``value`` becomes another.
  var version = 0
  /// What scripts are told as the number of a version.
  var sequence: (version: Int, number: Int64)?
  /// The screen may look different from ``value``.
  var isDirty = true

  /// Writes the state anew if the screen may look different.
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
