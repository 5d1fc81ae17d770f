import ArgumentParser
import Foundation
import LivetapeServer
import MarketModel
import VenueProtocols

enum ReplaySpeed: String, ExpressibleByArgument, CaseIterable {
  case original = "1"
  case tenfold = "10"
  case maximum = "max"

  /// Recorded time per real time; nil for no waiting.
  var factor: Double? {
    switch self {
    case .original: 1
    case .tenfold: 10
    case .maximum: nil
    }
  }
}

struct SymbolArgument: ExpressibleByArgument {
  let symbol: Symbol

  init?(argument: String) {
    guard let symbol = Symbol(argument) else { return nil }
    self.symbol = symbol
  }
}

/// `livetape replay`: plays a recording through the protocol code of the live venue, and prints the
/// state at checkpoints and at the end.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Play a recording.",
    discussion: """
      The file holds one message a line: receive time, a tab, the raw message; the same with "ws" \
      or the requested address and another tab before the message; or the raw JSON message alone.
      """)

  @Argument(help: "The recording.") var file: String
  @Option(help: "The venue that was recorded.") var venue = Venue.bitmex
  @Option(
    help: """
      Print this instrument alone; needed for the recordings of venues that do not name their \
      instruments.
      """)
  var symbol: SymbolArgument?
  @Option(help: "1, 10 or max.") var speed = ReplaySpeed.maximum
  @Flag(help: "Print one JSON object a line.") var json = false
  @Option(help: "Print after every so many messages, too.") var checkpointEvery: Int?
  @Option(
    help: ArgumentHelp(
      """
      Compare the fills of this data folder's paper orders with the recording, instead of printing \
      states; status 1 if it refutes one.
      """, valueName: "folder"))
  var receipts: String?

  func validate() throws {
    if let checkpointEvery, checkpointEvery < 1 {
      throw ValidationError("--checkpoint-every must be at least 1")
    }
    if receipts != nil, checkpointEvery != nil {
      throw ValidationError("--receipts prints no states, so it takes no --checkpoint-every")
    }
    if case .oneInstrument = venue.adapter.replay, symbol == nil {
      throw ValidationError("--symbol is needed for recordings of \(venue)")
    }
  }

  func run() async throws {
    var lines = try RecordedLines(path: file)
    var replayer = try makeReplayer()
    var receipts = try self.receipts.map {
      ReceiptCheck(of: try LedgerOptions.ledger(in: $0), at: venue)
    }
    var pace = ReplayPace(speed)
    var read = 0
    var rejected = 0
    var now = ClockReading(milliseconds: 0)
    while let line = try lines.next() {
      try await pace.wait(for: line.time)
      now = ClockReading(
        monotonic: MonotonicTime(nanoseconds: line.time.nanoseconds), wall: line.time)
      read += 1
      if let message = message(line), let problem = replayer.process(message, at: now) {
        rejected += 1
        if rejected <= 10 { StandardError.write("\(file):\(line.number): \(problem)") }
      }
      for market in receipts?.markets ?? [] {
        receipts?.note(replayer.report(on: market, at: now), of: market, at: line.time)
      }
      if let checkpointEvery, read % checkpointEvery == 0 {
        try print(replayer, after: read, at: now)
      }
    }
    if let receipts {
      try print(receipts)
    } else if checkpointEvery.map({ read % $0 != 0 }) ?? true {
      try print(replayer, after: read, at: now)
    }
    try check(replayer, read: read, rejected: rejected, at: now)
  }

  /// A line's message; nil for a response over HTTP that the venue's books don't need.
  private func message(_ line: RecordedLine) -> ArraySlice<UInt8>? {
    guard let address = line.address else { return line.message }
    guard venue.adapter.fetchesSnapshots else { return nil }
    return FetchedResponse(path: address, status: 200, body: Array(line.message)).message[...]
  }

  private func makeReplayer() throws -> any Replayer {
    switch venue.adapter.replay {
    case .allInstruments(let make): return MarketReplayer(make())
    case .oneInstrument:
      guard let symbol = symbol?.symbol else {
        throw CommandFailure("recordings of \(venue) need --symbol")
      }
      try InstrumentName(venue, symbol).check()
      return SessionReplayer(venue, symbol: symbol)
    case .none: throw CommandFailure("recordings of \(venue) can't be replayed")
    }
  }

  private func print(_ replayer: any Replayer, after read: Int, at now: ClockReading) throws {
    for symbol in symbol.map({ [$0.symbol] }) ?? replayer.symbols {
      guard var report = replayer.report(on: symbol, at: now) else { continue }
      report.after = read
      if json {
        try StandardOutput.write(report.json)
      } else {
        let text = TerminalReport(report, connection: nil, at: now).text
        try StandardOutput.write("after \(read): \(text)")
      }
    }
  }

  private func print(_ receipts: ReceiptCheck) throws {
    let (lines, isSound) = receipts.lines(asJSON: json)
    for line in lines { try StandardOutput.write(line) }
    if lines.isEmpty { StandardError.write("there are no fills of paper orders at \(venue)") }
    guard isSound else { throw CommandFailure("the recording refutes a receipt") }
  }

  /// Reports rejected messages, and fails if there is nothing to show.
  private func check(
    _ replayer: any Replayer, read: Int, rejected: Int, at now: ClockReading
  ) throws {
    if rejected > 0 { StandardError.write("\(rejected) of \(read) messages were rejected") }
    if let symbol = symbol?.symbol, replayer.report(on: symbol, at: now) == nil {
      throw CommandFailure("\(file) holds nothing of \(symbol)")
    }
    if replayer.symbols.isEmpty, symbol == nil {
      throw CommandFailure("\(file) holds no book of \(venue)")
    }
  }
}

/// Waits as long as the recording did, divided by the speed.
struct ReplayPace {
  private let factor: Double?
  private var start: (recorded: Timestamp, real: ContinuousClock.Instant)?

  init(_ speed: ReplaySpeed) { factor = speed.factor }

  mutating func wait(for time: Timestamp) async throws {
    guard let factor else { return }
    guard let start else {
      self.start = (time, ContinuousClock.now)
      return
    }
    let elapsed = Double(time.nanoseconds - start.recorded.nanoseconds) / factor
    let due = start.real + .nanoseconds(Int64(min(max(elapsed, 0), 1e18)))
    if due > ContinuousClock.now { try await Task.sleep(until: due, clock: .continuous) }
  }
}
