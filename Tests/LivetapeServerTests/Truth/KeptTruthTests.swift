// LT2: the truth record on disk: reloaded after a restart, written no more often than needed, and
// robust against foreign files.

import Foundation
import MarketModel
import MarketStreams
import Testing
import WireJSON

@testable import LivetapeServer

@Suite struct KeptTruthTests {
  private let midnight: Int64 = 20_000 * 86_400_000
  private let instrument = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))

  private func board(_ notes: (TruthLevel, Int64, Sentence?)...) -> TruthBoard {
    var board = TruthBoard()
    for (level, time, cause) in notes {
      _ = board.note(level, of: instrument, from: .venue, cause: cause, at: midnight + time)
    }
    return board
  }

  private func read(_ text: String) throws(JSONError) -> TruthBoard {
    try TruthBoard(decoding: Array(text.utf8).span)
  }

  @Test func `after a restart all is there, and the time since the write is unobserved`() throws {
    let cable = "cable\"\n\u{1F9F5}"
    let cause: Sentence = "A \"\(cable)"
    var before = board((.proven, 1000, nil), (.blind, 5000, cause), (.proven, 6000, nil))
    let kept = before.toKeep(at: midnight + 9000)
    let after = try TruthBoard(decoding: try #require(kept).json.span)
    let record = try #require(after.records[instrument])
    #expect(record.origin == .venue)
    #expect(record.spans.map(\.level) == [.proven, .blind, .proven, .unwatched])
    #expect(record.spans.map(\.since) == [1000, 5000, 6000, 9000].map { midnight + $0 })
    #expect(record.spans[1].cause == cause && record.spans[1].cause?.key == cause.key)
    let day = try #require(record.day(at: midnight + 20_000))
    #expect(day[.proven] == 7000 && day[.blind] == 1000 && day[.unwatched] == 11_000)
  }

  @Test func `it is stored soon after a change, once a minute while observed, else never`() {
    var board = board((.live, 1000, nil))
    let times = stride(from: Int64(1000), through: 130_000, by: 250).filter {
      board.toKeep(at: midnight + $0) != nil
    }
    #expect(times == [1000, 61_000, 121_000])
    _ = board.note(.late, of: instrument, from: .venue, cause: nil, at: midnight + 122_000)
    let later = [122_000, 125_000, 126_000, 127_000].filter {
      board.toKeep(at: midnight + $0) != nil
    }
    #expect(later == [126_000])
    _ = board.note(.unwatched, of: instrument, from: .venue, cause: nil, at: midnight + 130_000)
    let last = [132_000, 500_000].filter { board.toKeep(at: midnight + $0) != nil }
    #expect(last == [132_000])
    // A clock that was set back does not stop it.
    _ = board.note(.live, of: instrument, from: .venue, cause: nil, at: midnight)
    let early = board.toKeep(at: midnight - 1)
    #expect(early != nil)
  }

  @Test func `a simulated book's record is separate from the venue's`() {
    var board = board((.proven, 1000, nil))
    _ = board.note(.live, of: instrument, from: .simulated, cause: nil, at: midnight + 2000)
    #expect(board.records[instrument]?.spans.map(\.level) == [.live])
    #expect(board.records[instrument]?.origin == .simulated)
    let isNews = board.note(
      .unwatched, of: instrument, from: .venue, cause: nil, at: midnight + 3000)
    #expect(!isNews)
  }

  @Test func `as many spans are kept as fit, the newest, whatever their content`() throws {
    var board = TruthBoard()
    let cause = Sentence(verbatim: String(repeating: "\u{1}", count: 1000))
    for number in 0..<TruthBoard.maximumInstruments {
      let key = InstrumentKey(.kraken, try #require(Symbol("S\(number)")))
      for step in 0..<Int64(150) {
        _ = board.note(
          step % 2 == 0 ? .blind : .live, of: key, from: .venue, cause: cause, at: midnight + step)
      }
    }
    let json = board.json
    #expect(json.count < TruthBoard.maximumBytes)
    let again = try TruthBoard(decoding: json.span)
    #expect(again.records.count == TruthBoard.maximumInstruments)
    let record = try #require(again.records[InstrumentKey(.kraken, Symbol(known: "S7"))])
    #expect(record.spans.first?.since == midnight + 50)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"version":2,"keptAt":0,"records":[]}"#,
    #"{"version":1,"keptAt":-1,"records":[]}"#,
    #"{"version":1,"keptAt":9223372036854775807,"records":[]}"#,
    #"{"version":1,"keptAt":0,"keptAt":0,"records":[]}"#,
    #"{"version":1,"keptAt":0,"records":[],"x":1}"#,
  ])
  func `what is not ours is not read`(_ text: String) {
    #expect(throws: JSONError.self) { try read(text) }
  }

  @Test(arguments: [
    (#"[[1,"live",null]]"#, "[0,5,0,[0,0,0,0,0,0,0]]", true),
    (#"[[1,"live",null],[2,"live",null]]"#, "[0,5,0,[0,0,0,0,0,0,0]]", false),
    (#"[[3,"live",null],[2,"late",null]]"#, "[0,5,0,[0,0,0,0,0,0,0]]", false),
    (#"[[1,"good",null]]"#, "[0,5,0,[0,0,0,0,0,0,0]]", false),
    (#"[[1,"live",7]]"#, "[0,5,0,[0,0,0,0,0,0,0]]", false),
    (#"[[1,"live",null,null]]"#, "[0,5,0,[0,0,0,0,0,0,0]]", false),
    ("[]", "[0,5,0,[0,0,0,0,0,0,0]]", false),
    (#"[[9,"live",null]]"#, "[0,5,0,[0,0,0,0,0,0,0]]", false),
    (#"[[1,"live",null]]"#, "[7,8,0,[0,0,0,0,0,0,0]]", false),
    (#"[[1,"live",null]]"#, "[0,5,-1,[0,0,0,0,0,0,0]]", false),
    (#"[[1,"live",null]]"#, "[0,5,0,[0,0,0,0,0,0]]", false),
    (#"[[1,"live",null]]"#, "[0,5,0,[0,0,0,0,0,0,0,0]]", false),
    (#"[[1,"live",null]]"#, "[0,5,0,[6,0,0,0,0,0,0]]", false),
  ])
  func `a record that can't be one is refused`(_ spans: String, _ day: String, _ isSound: Bool) {
    let text = #"{"version":1,"keptAt":5,"records":[["kraken/BTC/USD","venue",\#(spans),\#(day)]]}"#
    #expect(((try? read(text)) != nil) == isSound, "\(text)")
  }

  @Test func `a file cut or changed anywhere is read as ours or not at all`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let json = board((.proven, 1000, nil), (.blind, 5000, "why"), (.live, 6000, nil)).json
    for length in 0..<json.count {
      #expect(throws: JSONError.self) { try TruthBoard(decoding: Array(json[..<length]).span) }
    }
    for _ in 0..<3000 {
      var bytes = json
      bytes[Int(random.below(Int64(bytes.count)))] = UInt8(truncatingIfNeeded: random.next())
      guard let board = try? TruthBoard(decoding: bytes.span) else { continue }
      let again = try? TruthBoard(decoding: board.json.span)
      #expect(again?.records == board.records, "seed \(seed)")
    }
  }
}
