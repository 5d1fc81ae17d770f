import ArgumentParser
import FeedConnections
import Foundation
import LivetapeServer
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import VenueCatalogue

/// `livetape record`: records raw messages for `replay`, one per line: receive time, a tab, the
/// message.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record what venues send.",
    discussion: "Only received messages are written: no token and no header reaches the file.")

  @Argument(help: "One or more instruments of one venue, as VENUE:SYMBOL.")
  var instruments: [InstrumentName]
  @Option(help: "The file to write; it must not exist yet.") var to: String
  @Option(help: "The venue's URL; the real one when left out.") var url: VenueURL?
  @Option(help: "Stop after this many seconds; until interrupted when left out.")
  var seconds: Double?
  @OptionGroup var logging: LoggingOptions

  func validate() throws {
    guard Set(instruments.map(\.venue)).count == 1 else {
      throw ValidationError("all instruments of a recording must be of one venue")
    }
    if let venue = instruments.first?.venue { _ = try url?.address(of: venue) }
    if let seconds, !(seconds > 0 && seconds <= 31_536_000) {
      throw ValidationError("--seconds must be more than 0 and at most a year")
    }
  }

  func run() async throws {
    guard let first = instruments.first else { return }
    for instrument in instruments { try instrument.check() }
    let recording = try Recording(path: to)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var connection = try VenueConnection.make(to: first, at: url)
    let isStream = first.venue.descriptor.transport == .tcp
    connection.onRawMessage = { _, message, now in
      if isStream {
        recording.writeLines(of: message, receivedAt: now.wall)
      } else {
        recording.write(message, receivedAt: now.wall)
      }
    }
    let hub = FeedHub(venues: [connection], group: group, logger: logging.logger("livetape.record"))
    let keys = Set(instruments.flatMap(\.keys))
    let heard = HeardInstruments()
    let observation = hub.observe(keys) { heard.take($0, $1) }
    hub.start()
    let interrupted = InterruptSignal()
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    while !interrupted.isRaised, recording.failure == nil, heard.absent(instruments) == nil {
      if let end, ContinuousClock.now >= end { break }
      let slice = ContinuousClock.now + .milliseconds(200)
      try await interrupted.wait(until: end.map { min($0, slice) } ?? slice)
    }
    observation.cancel()
    await hub.shutdown()
    try? await group.shutdownGracefully()
    let absence = heard.absent(instruments)?.absence
    try recording.close(isOfNothing: absence != nil && !heard.hasLive)
    if let absence { throw absence }
    StandardError.write("\(recording.messages) messages recorded in \(to)")
    if recording.messages == 0 { throw CommandFailure("nothing was received from the venue") }
  }
}

/// Which of the recorded instruments the venue has.
final class HeardInstruments: Sendable {
  private let state = NIOLockedValueBox((unlisted: Set<Symbol>(), hasLive: false))

  var hasLive: Bool { state.withLockedValue { $0.hasLive } }

  func take(_ key: MarketKey, _ value: MarketValue) {
    state.withLockedValue { state in
      if !value.isKnown { state.unlisted.insert(key.subscription.symbol) }
      if value.freshness.state == .live { state.hasLive = true }
    }
  }

  /// The first instrument if the venue has none of them.
  func absent(_ instruments: [InstrumentName]) -> InstrumentName? {
    let unlisted = state.withLockedValue { $0.unlisted }
    return instruments.allSatisfy { unlisted.contains($0.symbol) } ? instruments.first : nil
  }
}
