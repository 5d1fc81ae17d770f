// Everything that a scrape asks for, read in one turn of the loop.

import FeedConnections
import HistoryStore
import MarketModel
import MarketStreams
import PaperTrading

/// What a server has done and how it is, at one moment.
struct OperationsReading: Sendable {
  var now: ClockReading
  var connections: [Venue: ConnectionStatus] = [:]
  var traffic: [Venue: VenueTraffic] = [:]
  /// Connections opened since the start.
  var connectionsOpened: [Venue: Int] = [:]
  /// Milliseconds of this UTC day at each level, of all books of a venue that pages had open.
  var truths: [Venue: [TruthLevel: Int64]] = [:]
  /// Milliseconds since the values on pages were confirmed, sorted.
  var ages: [Venue: [Int64]] = [:]
  /// Pages connected now.
  var pages = 0
  /// Of those, pages whose sockets are full.
  var pagesBehind = 0
  var counts = TopicCounts()
  /// Bytes handed to pages' sockets.
  var bytesSent: UInt64 = 0
  var readiness = Readiness()
  /// Whether orders are taken.
  var takesOrders = false
  var history = HistoryStoreStatus()
  /// The most bytes that the kept history may take.
  var historyBudget: Int64 = 0
}

extension TopicServer {
  /// Fills in what the topic server knows.
  func report(into reading: inout OperationsReading) {
    reading.connections = connections
    reading.pages = pages.count
    reading.pagesBehind = pages.values.count { $0.isBehind }
    reading.counts = counts
    reading.takesOrders = orders.map { $0.failure == nil } ?? false
    let now = reading.now
    for (instrument, record) in truths.records {
      // What was kept of another source is not this one's.
      guard connections[instrument.venue]?.origin == record.origin,
        let day = record.day(at: now.wall.milliseconds)
      else { continue }
      for level in TruthLevel.allCases where day[level] > 0 {
        reading.truths[instrument.venue, default: [:]][level, default: 0] += day[level]
      }
    }
    for (key, value) in values {
      guard let confirmed = value.confirmedAt else { continue }
      reading.ages[key.venue, default: []].append(
        max(0, now.monotonic.milliseconds(since: confirmed.monotonic)))
    }
    for venue in reading.ages.keys { reading.ages[venue]?.sort() }
  }
}

extension MarketValue {
  /// When the value was confirmed; nil before that, and of what has no age.
  fileprivate var confirmedAt: ClockReading? {
    if case .listing = self { nil } else { freshness.confirmedAt }
  }
}
