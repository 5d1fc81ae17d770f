// What the desk remembers of one page and of one topic.

import MarketModel

/// One page's connection.
struct PageRecord: Sendable {
  /// Names of its open topics.
  var topics: Set<String> = []
  /// Topics whose whole state it gets in the next frame.
  var snapshotsDue: Set<String> = []
  /// Its socket is full: no patches until it drains.
  var isBehind = false
  /// Bytes of answers given to its socket while it is full.
  var waitingBytes = 0
  /// Messages sent to it.
  var frames = 0
  /// Bad messages it has sent.
  var errors = 0
  /// Commands about orders that have no response yet.
  var asksUnderWay = 0
  private var secondStarted: MonotonicTime
  private var messagesThisSecond = 0
  private var productsThisSecond = 0

  init(connectedAt now: ClockReading) { secondStarted = now.monotonic }

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

/// One topic that at least one page has open.
struct TopicSlot: Sendable {
  /// The screen behind it.
  var screen: any TopicScreen
  /// Who has it open.
  var pages: Set<PageID> = []
  /// Products that it waits for.
  var fetching: Set<Symbol> = []
  /// What the pages have, once a frame has been sent.
  var sent: PageValue?
  /// The number of the last patch or snapshot.
  var sequence = 0
  /// The screen may look different from what was sent.
  var isDirty = true
}
