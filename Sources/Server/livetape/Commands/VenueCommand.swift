import ArgumentParser
import FeedConnections
import LivetapeServer
import Logging
import MarketModel
import MarketStreams
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import VenueCatalogue
import VenueProtocols
import WireJSON

/// `livetape venue`: what belongs to a whole venue.
struct VenueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "venue", abstract: "Examine a venue.", subcommands: [VenueCheckCommand.self])
}

/// `livetape venue check`: compares a venue's behaviour with what its decoder relies on.
struct VenueCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check what the decoder of a venue relies on.",
    discussion: """
      Follows one market for a while, drops and renews its book once, and reports each check. Ends \
      with status 1 if one failed. Example: livetape venue check kraken
      """)

  @Argument(help: "The venue, or a market of it as VENUE:SYMBOL.") var market: CheckedMarket
  @Option(help: "The venue's URL; the real one when left out.") var url: VenueURL?
  @Option(help: "Seconds to follow it (20 to 86400).") var seconds: Double = 60
  @Option(
    parsing: .upToNextOption,
    help: "Other markets of the venue whose books are followed, too, as VENUE:SYMBOL.")
  var with: [CheckedMarket] = []
  @Flag(help: "Print one JSON object a line.") var json = false
  @OptionGroup var logging: LoggingOptions

  func validate() throws {
    guard (20...86_400).contains(seconds) else {
      throw ValidationError("--seconds must be between 20 and 86400")
    }
    _ = try url?.address(of: market.key.venue)
    guard with.allSatisfy({ $0.key.venue == market.key.venue }) else {
      throw ValidationError("--with takes markets of the same venue")
    }
  }

  func run() async throws {
    let key = market.key
    let address = try url?.address(of: key.venue)
    var connection = try VenueConnection.make(to: key, at: address)
    let run = VenueCheckRun(
      key, others: with.map(\.key.symbol), milliseconds: Int64(seconds * 1000))
    run.examineMessages(of: &connection)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let hub = FeedHub(venues: [connection], group: group, logger: logging.logger("livetape.venue"))
    run.start(hub)
    let addresses = [address ?? .published(key.venue)].compactMap { $0 }
    let requests = VenueHTTP(addresses, on: group.next())
    async let candles: Void = run.requestCandles(from: requests, on: group.next())
    let interrupted = InterruptSignal()
    try? await interrupted.wait(until: .now + .seconds(seconds))
    await candles
    let findings = run.finish()
    await hub.shutdown()
    try? await group.shutdownGracefully()
    for finding in findings { try StandardOutput.write(json ? finding.json : "\(finding)") }
    let failed = findings.count { $0.outcome == .failed }
    if failed > 0 { throw CommandFailure("\(failed) of \(findings.count) checks failed") }
  }
}

/// A venue's first market with a book, or the named one.
struct CheckedMarket: ExpressibleByArgument {
  let key: InstrumentKey

  init?(argument: String) {
    if let venue = Venue(rawValue: argument), let first = venue.descriptor.books.first {
      key = InstrumentKey(venue, first.symbol)
    } else if let key = InstrumentKey(text: argument), BookCatalogue.mayHold(key) {
      self.key = key
    } else {
      return nil
    }
  }
}

extension VenueCheck.Finding {
  var json: String {
    var writer = JSONWriter(capacity: 128)
    writer.object { writer in
      writer.member("check", name)
      writer.member("outcome", outcome.rawValue)
      writer.member("detail", detail)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
