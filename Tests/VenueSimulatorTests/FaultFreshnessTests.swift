// Every fault on demand against a real session, in virtual time: how soon the book shows it, that
// it recovers by itself, and that no wrong book is shown as live meanwhile.

import MarketModel
import TestSupport
import Testing
import VenueProtocols
import VenueSimulator

@Suite struct FaultFreshnessTests {
  /// A fault's effects, in milliseconds since it was requested.
  private struct Course {
    var shownAfter: Int64?
    var longestLie: Int64 = 0
    var isRightInTheEnd = false
  }

  private func course(of text: String, at venue: VenueCase, seed: UInt64) throws -> Course {
    var loop = BookLoop(venue, seed: seed, wanting: [venue.book])
    loop.stepMilliseconds = 50
    loop.connect()
    loop.run(milliseconds: 10_000)
    var isLive: Bool { loop.book()?.freshness.state == .live && loop.isConnected }
    var isRight: Bool { loop.book()?.status == .synced && loop.isHonest() }
    guard isLive, isRight else { return Course() }
    try loop.driver.inject(text)
    loop.driver.run(milliseconds: 0)
    let (begin, resyncs) = (loop.milliseconds, loop.resyncs)
    var course = Course()
    var lie: Int64 = 0
    // No fault lasts longer than 13 s.
    let calm: Int64 = repetitions(15_000, all: 30_000)
    repeat {
      loop.run(milliseconds: 50)
      let (isLive, isRight) = (isLive, isRight)
      if course.shownAfter == nil, !isLive || loop.resyncs > resyncs {
        course.shownAfter = loop.milliseconds - begin
      }
      lie = isLive && !isRight ? lie + 50 : 0
      course.longestLie = max(course.longestLie, lie)
      course.isRightInTheEnd = isLive && isRight
    } while loop.milliseconds < begin + (course.isRightInTheEnd ? calm : 30_000)
    return course
  }

  /// When a book shows a fault: as late, doubtful or disconnected, or by a resync, which takes no
  /// time here.
  private enum Shown {
    case within(Int64)
    /// By the time that a silence takes to be late, and one look.
    case late
    case never
  }

  /// A fault, when the book shows it, and how long a book that differs from the venue's may be
  /// live; nil without a bound.
  private struct Row {
    let text: String
    let shown: Shown
    let lie: Int64?
  }

  private static let rows = [
    Row(text: "cut", shown: .within(100), lie: 0),
    Row(text: "close=1012", shown: .within(100), lie: 0),
    Row(text: "cut, refuse=503 for 3s", shown: .within(100), lie: 0),
    Row(text: "checksum", shown: .within(1000), lie: 0),
    Row(text: "gap=20", shown: .late, lie: .max),
    Row(text: "drop=100% for 6s", shown: .late, lie: .max),
    Row(text: "stall for 6s", shown: .late, lie: .max),
    Row(text: "half-open for 6s", shown: .late, lie: .max),
    Row(text: "corrupt=100% for 3s", shown: .within(1000), lie: 1000),
    Row(text: "truncate=100% for 3s", shown: .within(1000), lie: 1000),
    // Long enough for a swap of two messages of the book, which a quiet market spaces.
    Row(text: "reorder=50% for 6s", shown: .late, lie: 1000),
    Row(text: "delay=6s for 7s", shown: .late, lie: nil),
    Row(text: "duplicate=100% for 3s", shown: .never, lie: 0),
    Row(text: "clock=+90s for 3s", shown: .never, lie: 0),
    Row(text: "flood=2000/s for 2s", shown: .never, lie: 0),
    Row(text: "delay=300ms for 4s", shown: .never, lie: nil),
  ]

  @Test(arguments: VenueCase.all, rows.indices)
  func `a fault is shown in time and ends by itself`(venue: VenueCase, index: Int) throws {
    let row = Self.rows[index]
    if try FaultSpec(row.text).problem(at: venue.venue) != nil { return }
    // Only a checksum reveals another digit.
    if row.text.hasPrefix("corrupt"), venue.provenRows == BookView.depth { return }
    let silence = venue.silenceMilliseconds + 50
    let isRepeated = venue.refetch == "unsubscribe" && venue.provenRows == BookView.depth
    for seed in [UInt64(3), 8, 21].prefix(repetitions(1, all: 3)) {
      let course = try course(of: row.text, at: venue, seed: seed)
      let text = "\(row.text), seed \(seed): \(course)"
      #expect(course.isRightInTheEnd, "\(text)")
      switch row.shown {
      case .within(let bound): #expect((course.shownAfter ?? .max) <= bound, "\(text)")
      case .late: #expect((course.shownAfter ?? .max) <= silence, "\(text)")
      // A repeated number is a doubt at OKX and Bybit, with the first repeated message of the book.
      case .never where isRepeated && row.text.hasPrefix("duplicate"):
        #expect((course.shownAfter ?? .max) <= 1000, "\(text)")
      case .never where isRepeated && row.text.hasPrefix("flood"):
        #expect((course.shownAfter ?? 0) <= 1000, "\(text)")
      case .never:
        // The market has pauses of its own.
        guard let shown = course.shownAfter else { break }
        let calm = try self.course(of: "", at: venue, seed: seed).shownAfter
        #expect(shown == calm, "\(text)")
      }
      if let lie = row.lie { #expect(course.longestLie <= min(lie, silence), "\(text)") }
    }
  }
}
