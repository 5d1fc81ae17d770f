// `livetape watch` of several instruments: one connection a venue, one line an instrument.

import FeedConnections
import LivetapeServer
import Logging
import MarketModel
import NIOCore
import NIOPosix

extension WatchCommand {
  /// Prints all instruments until the time is over.
  ///
  /// A venue that can't be connected to ends the command only where its instruments were named one
  /// by one, or where nothing else is left of the list.
  func followAll() async throws {
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

  /// The named instruments and then those of the list, each once.
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
