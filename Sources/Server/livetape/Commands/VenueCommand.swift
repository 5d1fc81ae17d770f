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
    let clock = HubClock.live
    let key = market.key
    let address = try url?.address(of: key.venue)
    var connection = try VenueConnection.make(to: key, at: address)
    let box = NIOLockedValueBox(
      VenueCheck(
        key, others: with.map(\.key.symbol), milliseconds: Int64(seconds * 1000),
        at: clock.now()))
    let adapter = key.venue.adapter
    connection.onRawMessage = { _, bytes, now in
      let number = bytes.withUnsafeReadableBytes { adapter.streamNumber(Array($0).span) }
      box.withLockedValue { check in
        check.receive(bytes: bytes.readableBytes, number: number, at: now)
        check.search(bytes.readableBytesView)
      }
    }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let hub = FeedHub(
      venues: [connection], group: group, logger: logging.logger("livetape.venue"))
    let check = box.withLockedValue { $0 }
    let observations = [
      hub.observe(check.keys) { _, value in
        box.withLockedValue { $0.receive(value, at: clock.now()) }
      },
      hub.observeEvents([MarketKey(key.venue, .trades, key.symbol)]) { _, event, now in
        box.withLockedValue { $0.receive(event, at: now) }
      },
      hub.observeConnections { status in
        box.withLockedValue { $0.receive(status, at: clock.now()) }
      },
    ]
    hub.start()
    async let history = candles(of: key, at: address ?? .published(key.venue), group)
    await follow(hub, check.bookKey, box, clock)
    let candles = await history
    let findings = box.withLockedValue { check in
      if let candles { check.receive(candles) }
      return check.findings(at: clock.now())
    }
    for observation in observations { observation.cancel() }
    await hub.shutdown()
    try? await group.shutdownGracefully()
    for finding in findings { try StandardOutput.write(json ? finding.json : finding.line) }
    let failed = findings.count { $0.outcome == .failed }
    if failed > 0 { throw CommandFailure("\(failed) of \(findings.count) checks failed") }
  }

  private func follow(
    _ hub: FeedHub, _ key: MarketKey, _ box: NIOLockedValueBox<VenueCheck>, _ clock: HubClock
  ) async {
    let interrupted = InterruptSignal()
    let end = ContinuousClock.now + .seconds(seconds)
    var book: FeedObservation?
    while ContinuousClock.now < end, !interrupted.isRaised {
      let isWanted = box.withLockedValue { check in
        check.advance(to: clock.now())
        return check.wantsBook
      }
      if !isWanted {
        book?.cancel()
        book = nil
      } else if book == nil {
        book = hub.observe([key]) { _, value in
          box.withLockedValue { $0.receive(value, at: clock.now()) }
        }
      }
      try? await interrupted.wait(until: min(end, .now + .milliseconds(100))) { false }
    }
    book?.cancel()
  }

  private func candles(
    of key: InstrumentKey, at address: VenueAddress?, _ group: any EventLoopGroup
  ) async -> Result<VenueCandles, HistoryFailure>? {
    guard let reader = address.flatMap({ HistoryReader(key, at: $0, group: group) }) else {
      return nil
    }
    do throws(HistoryFailure) {
      return .success(try await reader.candles(.minute))
    } catch {
      return .failure(error)
    }
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
  /// "passed  trade numbers: 40 trades, 0 numbers missing".
  var line: String {
    let word = outcome.rawValue
    return word + String(repeating: " ", count: 8 - word.count) + "\(name): \(detail)"
  }

  var json: String {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    writer.member("check", name)
    writer.member("outcome", outcome.rawValue)
    writer.member("detail", detail)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
