import MarketModel
import OrderBook

/// One book, spliced from a snapshot over HTTP and the numbered updates of the stream.
///
/// Updates are held until a snapshot comes. Those that it contains are dropped; the first other one
/// must continue or straddle its number, and every later one must begin where the former ended.
///
/// | state | snapshot | next numbers | earlier numbers | other numbers | interruption |
/// |---|---|---|---|---|---|
/// | waiting | synced, if it reaches the held updates | held | held | held | waiting |
/// | synced | ignored, or the renewed book | applied | dropped | doubtful: refetch | waiting |
/// | resyncing | synced, if it reaches the held updates | held | held | held | waiting |
///
/// A snapshot states 1000 levels a side. Updates name prices beyond them as well, of which the rest
/// is unknown: these are dropped, and a book that has become thin is renewed.
struct BinanceBookSync: TopComparingSync {
  /// The outcome of a snapshot.
  enum Splice: Equatable {
    /// The book is complete, or was already.
    case joined(BookTrust.Outcome)
    /// It ends before the first held update: another one is needed.
    case tooOld
  }

  /// Known levels a side below which the book is renewed.
  static let leastLevels = 250
  /// Levels a side beyond which the book can't be the venue's.
  static let maximumLevels = 50_000

  var book = OrderBook()
  /// The venue sends at most ten messages a second, and none while nothing changes.
  var trust = BookTrust(
    CadenceTracker(expectedGapMilliseconds: 500, minimumLateMilliseconds: 5000))
  private(set) var sequence: Int64?
  private(set) var messages: Int64 = 0
  private(set) var edges = BinanceEdges()
  /// Whether a snapshot is awaited that replaces a valid book.
  private(set) var isRenewing = false
  /// Consecutive updates, oldest first, that a coming snapshot may lack.
  private var held = HeldUpdates<BinanceBookPart>()
  /// Whether the next update may also contain numbers of the snapshot.
  private var mayStraddle = false
  var tops = NumberedTops()

  init() {}

  /// The depth of a snapshot, which is valid for grouped rows as well.
  var fixedDepth: Int? { BinanceRequest.depthLimit }

  /// Whether few known levels remain on a side that goes on beyond them.
  var isThin: Bool {
    guard trust.takesChanges, !isRenewing else { return false }
    return edges.lowestBid != nil && book.levelCount(.bid) < Self.leastLevels
      || edges.highestAsk != nil && book.levelCount(.ask) < Self.leastLevels
  }

  var heldUpdates: Int { held.all.count }

  /// Applies or holds one update of the stream.
  mutating func apply(
    _ levels: [LevelRow], _ part: BinanceBookPart, at now: ClockReading
  ) -> BookTrust.Outcome {
    guard trust.takesChanges, !trust.isDoubtful else {
      hold(levels, part)
      return .dropped
    }
    if isRenewing { hold(levels, part) }
    return change(levels, part, at: now)
  }

  /// Joins a snapshot and the held updates that it lacks.
  mutating func splice(
    _ levels: [LevelRow], _ part: BinanceBookPart, _ new: BinanceEdges, at now: ClockReading
  ) -> Splice {
    if trust.takesChanges, !trust.isDoubtful, !isRenewing, part.last <= sequence ?? 0 {
      return .joined(.dropped)
    }
    // Without held updates it must reach the book that it replaces in this connection.
    let replaced = isRenewing || trust.isDoubtful ? sequence : nil
    if let least = held.first.map({ $0.first - 1 }) ?? replaced, part.last < least {
      return .tooOld
    }
    let later = held.all.filter { $0.part.last > part.last }
    held.removeAll()
    isRenewing = false
    book.removeAll()
    trust.beginImage()
    book.apply(levels[...])
    (sequence, messages, edges, mayStraddle) = (part.last, 1, new, true)
    trust.countChange(at: now)
    var outcome = check(maximumLevels: Self.maximumLevels, at: now)
    for other in later {
      if outcome == .needsSnapshot {
        hold(other.levels, other.part)
      } else {
        let next = change(other.levels, other.part, at: now)
        outcome = next == .dropped ? outcome : next
      }
    }
    return .joined(outcome)
  }

  /// Begins to hold updates for a snapshot that replaces the valid book.
  mutating func renew() {
    held.removeAll()
    isRenewing = true
  }

  private mutating func change(
    _ levels: [LevelRow], _ part: BinanceBookPart, at now: ClockReading
  ) -> BookTrust.Outcome {
    let known = sequence ?? 0
    // A repeated update.
    guard part.last > known else { return .dropped }
    let next = known + 1
    guard part.first == next || mayStraddle && part.first < next else {
      held.removeAll()
      hold(levels, part)
      isRenewing = false
      return trust.doubt(.gap)
    }
    (sequence, mayStraddle) = (part.last, false)
    messages &+= 1
    if levels.isEmpty {
      trust.confirmUnchanged(at: now)
      return .applied
    }
    if levels.contains(where: isBeyond) {
      book.apply(levels.filter { !isBeyond($0) }[...])
    } else {
      book.apply(levels[...])
    }
    trust.countChange(at: now)
    return check(maximumLevels: Self.maximumLevels, at: now)
  }

  private func isBeyond(_ level: LevelRow) -> Bool {
    level.isBid
      ? edges.lowestBid.map { level.price < $0 } ?? false
      : edges.highestAsk.map { level.price > $0 } ?? false
  }

  private mutating func hold(_ levels: [LevelRow], _ part: BinanceBookPart) {
    if let newest = held.last?.last {
      if part.last <= newest { return }
      // What was held before a hole can't be joined to what follows.
      if part.first != newest + 1 { held.removeAll() }
    }
    held.add(levels, part)
  }

  mutating func forget() {
    trust.forget()
    book = OrderBook()
    held.removeAll()
    (isRenewing, mayStraddle, edges) = (false, false, BinanceEdges())
  }

  /// Converts what the book does not contain to units that are smaller by these factors.
  mutating func rescaleHeld(price: Int64, size: Int64) {
    func scaled(_ value: Int64, _ factor: Int64) -> Int64? {
      let (units, overflow) = value.multipliedReportingOverflow(by: factor)
      return overflow ? nil : units
    }
    edges.lowestBid = edges.lowestBid.flatMap { scaled($0, price) }
    edges.highestAsk = edges.highestAsk.flatMap { scaled($0, price) }
    held.rescale(price: price, size: size)
  }
}
