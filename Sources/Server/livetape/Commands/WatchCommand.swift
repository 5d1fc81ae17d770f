import AppState
import ArgumentParser
import FeedConnections
import Foundation
import LivetapeServer
import Logging
import MarketModel
import MarketStreams
import NIOCore
import NIOPosix
import SocketTransport

/// `livetape watch`: follows one instrument in the terminal with its book and trades, or several as
/// a table.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Follow instruments in the terminal.",
    discussion: """
      Venues: \(Venue.allCases.map(\.rawValue).joined(separator: ", ")). \
      One instrument is shown with its book, several as a table. \
      Example: livetape watch kraken:BTC/USD kraken:ETH/USD
      """)

  @Argument(help: "The instruments, as VENUE:SYMBOL.") var instruments: [InstrumentName] = []
  @Option(help: "Follow all markets of this list, which a server keeps in its data folder.")
  var list: String?
  @OptionGroup var folder: DataFolderOption
  @Option(
    help: ArgumentHelp(
      "The venue's URL, or VENUE=URL for each of several; the real one when left out.",
      valueName: "url"))
  var url: [WatchURL] = []
  @Option(help: "Stop after this many seconds; until interrupted when left out.")
  var seconds: Double?
  @Option(help: "Milliseconds between lines (10 to 60000).") var every: Int64 = 1000
  @Flag(help: "Print one JSON object a line, and a last one at the end.") var json = false
  @Flag(
    help: """
      Print how long messages took at the end: from the venue's own time to the socket, decoded, \
      and here.
      """)
  var latency = false
  @OptionGroup var logging: LoggingOptions

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds <= 31_536_000) {
      throw ValidationError("--seconds must be more than 0 and at most a year")
    }
    guard (10...60_000).contains(every) else {
      throw ValidationError("--every must be between 10 and 60000 milliseconds")
    }
    if instruments.isEmpty && list == nil {
      throw ValidationError("name an instrument, or a list with --list")
    }
    if folder.data != nil && list == nil {
      throw ValidationError("--data says where --list is; give both")
    }
    if list == nil { _ = try WatchURL.addresses(url, of: Set(instruments.map(\.venue))) }
  }

  func run() async throws {
    if list == nil, instruments.count == 1, let instrument = instruments.first {
      try await follow(instrument)
    } else {
      try await followAll()
    }
  }

  private func follow(_ instrument: InstrumentName) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let watched = WatchedInstrument(instrument)
    let address = try WatchURL.addresses(url, of: [instrument.venue])[instrument.venue]
    var connection = try VenueConnection.make(
      to: InstrumentKey(instrument.venue, instrument.symbol), at: address)
    connection.onRawMessage = { _, _, _ in watched.countMessage() }
    let hub = FeedHub(venues: [connection], group: group, logger: logging.logger("livetape.watch"))
    let observation = hub.observe(instrument.keys, isMeasured: latency) { _, value in
      watched.take(value)
    }
    let connections = hub.observeConnections { watched.take($0) }
    hub.start()
    let clock = HubClock.live
    let lost = try await untilTheEnd(or: { watched.absence }) { () throws(CommandFailure) in
      try print(watched, at: clock.now())
    }
    let reports = await hub.latency()
    observation.cancel()
    connections.cancel()
    await hub.shutdown()
    try? await group.shutdownGracefully()
    if let lost { throw lost }
    try printLatency(reports)
    if watched.isEmpty { throw CommandFailure(watched.failure) }
  }

  /// Prints until the time is over or the output is closed, and a last time.
  ///
  /// Returns the obstacle or write error, to be thrown once everything is closed.
  private func untilTheEnd(
    or obstacle: () -> CommandFailure?, _ print: () throws(CommandFailure) -> Void
  ) async throws -> CommandFailure? {
    let interrupted = InterruptSignal()
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    var next = ContinuousClock.now + .milliseconds(every)
    var isOver = false
    while !isOver {
      let wake = end.map { min($0, next) } ?? next
      try await interrupted.wait(until: wake) { obstacle() != nil }
      if let obstacle = obstacle() { return obstacle }
      isOver = interrupted.isRaised || (end.map { ContinuousClock.now >= $0 } ?? false)
      next += .milliseconds(every)
      do {
        try print()
      } catch {
        return error == .outputClosed ? nil : error
      }
    }
    return nil
  }

  private func printLatency(_ reports: [LatencyReport]) throws {
    guard latency else { return }
    if json {
      for report in reports { try StandardOutput.write(report.json) }
    } else {
      try StandardOutput.write(whole: LatencyTable(reports).text)
    }
  }

  private func print(_ watched: WatchedInstrument, at now: ClockReading) throws(CommandFailure) {
    let report = watched.report
    if json {
      try StandardOutput.write(report.json)
    } else {
      let text = TerminalReport(report, connection: watched.connection, at: now).text
      try StandardOutput.write(text)
    }
  }
}

// MARK: - Several instruments

extension WatchCommand {
  /// Prints all instruments, one line each, until the time is over.
  ///
  /// A venue that can't be connected ends the command only if its instruments were named
  /// individually, or if nothing else is left of the list.
  private func followAll() async throws {
    let watched = try wantedInstruments()
    let markets = WatchedMarkets(watched)
    let connections = try connections(to: watched, markets)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let hub = FeedHub(venues: connections, group: group, logger: logging.logger("livetape.watch"))
    let clock = HubClock.live
    let keys = Set(watched.flatMap { WatchedMarkets.keys(of: $0) })
    let values = hub.observe(keys, isMeasured: latency) {
      markets.take($0, $1, at: clock.now())
    }
    let statuses = hub.observeConnections { markets.take($0, at: clock.now()) }
    hub.start()
    var table = MarketTable()
    let named = Set(instruments.map { InstrumentKey($0.venue, $0.symbol) })
    let absence = { markets.absence { named.contains($0) } ?? markets.absenceOfAll }
    let lost = try await untilTheEnd(or: absence) { () throws(CommandFailure) in
      if json {
        for line in markets.lines { try StandardOutput.write(line.json) }
      } else {
        try StandardOutput.write(whole: table.text(markets.lines, at: clock.now()))
      }
    }
    let reports = await hub.latency()
    values.cancel()
    statuses.cancel()
    await hub.shutdown()
    try? await group.shutdownGracefully()
    if let lost { throw lost }
    try printLatency(reports)
    if let failure = markets.failure { throw CommandFailure(failure) }
  }

  /// The named instruments, then those of the list, without duplicates.
  private func wantedInstruments() throws -> [InstrumentKey] {
    var wanted = instruments.map { InstrumentKey($0.venue, $0.symbol) }
    if let list { wanted += try ListFile.members(of: list, in: folder.path) }
    var known: Set<InstrumentKey> = []
    return wanted.filter { known.insert($0).inserted }
  }

  private func connections(
    to watched: [InstrumentKey], _ markets: WatchedMarkets
  ) throws -> [VenueConfiguration] {
    let addresses = try WatchURL.addresses(url, of: Set(watched.map(\.venue)))
    var connections: [VenueConfiguration] = []
    var problem: CommandFailure?
    for venue in Venue.allCases {
      guard let first = watched.first(where: { $0.venue == venue }) else { continue }
      do {
        connections.append(try VenueConnection.make(to: first, at: addresses[venue]))
      } catch let failure as CommandFailure {
        if instruments.contains(where: { $0.venue == venue }) { throw failure }
        markets.note(failure.message, of: venue)
        problem = problem ?? failure
      }
    }
    if connections.isEmpty, let problem { throw problem }
    return connections
  }
}

enum ListFile {
  /// The instruments of a list, by name or identifier.
  ///
  /// - Throws: a ``CommandFailure`` if there are no lists, they are unreadable, the name is
  ///   unknown, or the list is empty.
  static func members(of name: String, in folder: String) throws -> [InstrumentKey] {
    let url = URL(fileURLWithPath: folder).appendingPathComponent("lists.json")
    guard let file = try? FileHandle(forReadingFrom: url) else {
      throw CommandFailure("there are no lists in \(folder)")
    }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: MarketLists.maximumBytes + 1),
      let lists = try? MarketLists(decoding: Array(data).span)
    else { throw CommandFailure("\(url.path) holds no lists that can be read") }
    let named = lists[name] ?? lists.lists.first { $0.name.lowercased() == name.lowercased() }
    guard let named else {
      let names = lists.lists.map(\.name).joined(separator: ", ")
      throw CommandFailure("there is no list \(name), only \(names)")
    }
    guard !named.members.isEmpty else { throw CommandFailure("the list \(named.name) is empty") }
    return named.members
  }
}

/// A URL, with its venue if given.
struct WatchURL: ExpressibleByArgument {
  let venue: Venue?
  let url: VenueURL

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    // A URL may contain "=", too, but the part before it is never a venue's name.
    let venue = parts.count == 2 ? Venue(rawValue: String(parts[0])) : nil
    guard let url = VenueURL(argument: venue == nil ? argument : String(parts[1])) else {
      return nil
    }
    (self.venue, self.url) = (venue, url)
  }

  /// The addresses of venues.
  ///
  /// Throws a usage error if a URL is of an unwatched venue, a venue has two, or one names no venue
  /// although there are several.
  static func addresses(_ urls: [WatchURL], of venues: Set<Venue>) throws -> [Venue: VenueAddress] {
    var addresses: [Venue: VenueAddress] = [:]
    for url in urls {
      guard let venue = url.venue ?? (venues.count == 1 ? venues.first : nil) else {
        throw ValidationError("with several venues --url needs the form VENUE=URL")
      }
      guard venues.contains(venue) else {
        throw ValidationError("no instrument of \(venue) is watched, but it has a URL")
      }
      guard addresses[venue] == nil else {
        throw ValidationError("\(venue) has two URLs; give it one")
      }
      addresses[venue] = try url.url.address(of: venue)
    }
    return addresses
  }
}
