// `livetape watch`: follows one instrument in the terminal.

import ArgumentParser
import FeedConnections
import Foundation
import LivetapeServer
import Logging
import MarketModel
import NIOCore
import NIOPosix
import SocketTransport

/// Prints what is known of an instrument, again and again.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Follow one instrument in the terminal.",
    discussion: """
      Venues: \(Venue.allCases.map(\.rawValue).joined(separator: ", ")). \
      Example: livetape watch kraken:BTC/USD
      """)

  @Argument(help: "The instrument, as VENUE:SYMBOL.") var instrument: InstrumentName
  @Option(help: "The venue's URL; the real one when left out.") var url: VenueURL?
  @Option(help: "Stop after this many seconds; until interrupted when left out.")
  var seconds: Double?
  @Option(help: "Milliseconds between lines (10 to 60000).") var every: Int64 = 1000
  @Flag(help: "Print one JSON object a line, and a last one at the end.") var json = false
  @OptionGroup var logging: LoggingOptions

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds <= 31_536_000) {
      throw ValidationError("--seconds must be more than 0 and at most a year")
    }
    guard (10...60_000).contains(every) else {
      throw ValidationError("--every must be between 10 and 60000 milliseconds")
    }
    _ = try url?.address(of: instrument.venue)
  }

  func run() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let watched = WatchedInstrument(instrument)
    var connection = try VenueConnection.make(to: instrument, at: url)
    connection.onRawMessage = { _, _, _ in watched.countMessage() }
    let hub = FeedHub(
      venues: [connection], group: group, logger: logging.logger("livetape.watch"))
    let observation = hub.observe(instrument.keys) { _, value in watched.take(value) }
    let connections = hub.observeConnections { watched.take($0) }
    hub.start()
    try await follow(watched)
    observation.cancel()
    connections.cancel()
    await hub.shutdown()
    try? await group.shutdownGracefully()
    if watched.isEmpty { throw CommandFailure(watched.failure) }
  }

  /// Prints until the time is over or the reader has gone away, and a last line then.
  private func follow(_ watched: WatchedInstrument) async throws {
    let interrupted = InterruptSignal()
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    var next = ContinuousClock.now + .milliseconds(every)
    while !interrupted.isRaised {
      let wake = end.map { min($0, next) } ?? next
      try await interrupted.wait(until: wake)
      if interrupted.isRaised || (end.map { ContinuousClock.now >= $0 } ?? false) { break }
      next += .milliseconds(every)
      guard print(watched) else { return }
    }
    _ = print(watched)
  }

  private func print(_ watched: WatchedInstrument) -> Bool {
    do {
      let report = watched.report
      if json {
        try StandardOutput.write(report.json)
      } else {
        try StandardOutput.write(TerminalReport(report, connection: watched.connection).text)
      }
      return true
    } catch {
      return false
    }
  }
}
