// The meaning of a venue's silence, by rule, without a venue.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct QuoteBoardTests {
  private let one: Symbol
  private let two: Symbol

  init() throws {
    one = try #require(Symbol("ONE"))
    two = try #require(Symbol("TWO"))
  }

  private func board(_ rule: QuoteRule) -> QuoteBoard {
    var board = QuoteBoard(
      origin: .venue, rule: rule, cadence: CadenceTracker(expectedGapMilliseconds: 1000))
    board.follow([one, two])
    board.open()
    return board
  }

  private func at(_ milliseconds: Int64) -> ClockReading {
    ClockReading(milliseconds: milliseconds)
  }

  private func quote(_ text: String) throws -> QuoteUpdate {
    QuoteUpdate(price: try #require(FixedDecimal(text)))
  }

  private func state(_ board: QuoteBoard, _ symbol: Symbol, at time: Int64) -> FreshnessState {
    board.view(of: symbol, at: at(time)).freshness.state
  }

  @Test func `an instrument with a rhythm of its own is late and stale by it`() throws {
    var board = board(.ownRhythm)
    for second in 0...10 {
      _ = board.take(try quote("1.\(second)"), for: one, at: at(Int64(second) * 1000))
    }
    #expect(state(board, one, at: 13_000) == .live && state(board, one, at: 13_001) == .late)
    #expect(state(board, one, at: 22_000) == .late && state(board, one, at: 22_001) == .stale)
    #expect(state(board, two, at: 13_000) == .waiting)
  }

  @Test func `where the venue picks an instrument each time, one passed over is stale`() throws {
    var board = board(.sharedRhythm)
    _ = board.take(try quote("1"), for: one, at: at(0))
    for turn in 1...40 {
      _ = board.take(try quote("\(turn)"), for: two, at: at(Int64(turn) * 1000))
    }
    #expect(state(board, two, at: 40_000) == .live)
    #expect(state(board, one, at: 40_000) == .stale)
  }

  @Test func `in a quiet market silence is late after a minute and never stale`() throws {
    var board = board(.quietMarket)
    _ = board.take(try quote("1"), for: one, at: at(0))
    #expect(state(board, one, at: 60_000) == .live && state(board, one, at: 60_001) == .late)
    #expect(state(board, one, at: 86_400_000) == .late)
  }

  @Test func `in a quiet market an unreadable message makes late what it may have changed`() throws
  {
    var board = board(.quietMarket)
    for symbol in [one, two] { _ = board.take(try quote("1"), for: symbol, at: at(0)) }
    board.doubt(one)
    #expect(state(board, one, at: 1) == .late && state(board, two, at: 1) == .live)
    board.doubt(nil)
    #expect(state(board, two, at: 1) == .late)
    _ = board.take(try quote("2"), for: one, at: at(2))
    #expect(state(board, one, at: 2) == .live)
  }

  @Test func `over a reconnect old values stay and are stale until confirmed`() throws {
    var board = board(.ownRhythm)
    _ = board.take(try quote("1"), for: one, at: at(0))
    board.close()
    #expect(state(board, one, at: 1) == .disconnected)
    board.open()
    #expect(state(board, one, at: 2) == .stale)
    #expect(board.view(of: one, at: at(2)).price == FixedDecimal("1"))
    _ = board.take(try quote("1"), for: one, at: at(3))
    #expect(state(board, one, at: 3) == .live)
  }
}
