import FeedConnections
import HistoryStore
import MarketModel
import MarketStreams
import PaperTrading

/// The server's state and counters at one moment, read in one turn of the loop for a scrape.
struct OperationsReading: Sendable {
  var now: ClockReading
  var connections: [Venue: ConnectionStatus] = [:]
  var traffic: [Venue: VenueTraffic] = [:]
  /// Connections opened since the start.
  var connectionsOpened: [Venue: Int] = [:]
  /// Milliseconds of this UTC day at each level, summed over a venue's books on pages.
  var truths: [Venue: [TruthLevel: Int64]] = [:]
  /// Milliseconds since the values on pages were confirmed, sorted.
  var ages: [Venue: [Int64]] = [:]
  var pages = 0
  /// Connected pages whose sockets are full.
  var pagesBehind = 0
  var counts = TopicCounts()
  /// Bytes written to pages' sockets.
  var bytesSent: UInt64 = 0
  var readiness = Readiness()
  var takesOrders = false
  var history = HistoryStoreStatus()
  /// The maximum bytes of the stored history.
  var historyBudget: Int64 = 0
}

extension TopicServer {
  func report(into reading: inout OperationsReading) {
    reading.connections = connections
    reading.pages = pages.count
    reading.pagesBehind = pages.values.count { $0.isBehind }
    reading.counts = counts
    reading.takesOrders = orders.map { $0.failure == nil } ?? false
    let now = reading.now
    for (instrument, record) in truths.records {
      // Records of another source do not belong to the current one.
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
  /// When the value was confirmed; nil before that, and for values without an age.
  fileprivate var confirmedAt: ClockReading? {
    if case .listing = self { nil } else { freshness.confirmedAt }
  }
}

// MARK: - Metrics

// Every family exists from the first scrape, so dashboards can refer to it.

extension OperationsReading {
  /// All families except those of the metrics API, which are in ``PrometheusRegistry``.
  var families: [MetricFamily] { serverFamilies + venueFamilies + truthFamilies + pageFamilies }

  private func gauge(_ name: String, _ help: String, _ value: MetricNumber) -> MetricFamily {
    MetricFamily(name: "livetape_" + name, kind: .gauge, help: help, samples: [MetricSample(value)])
  }

  private func counter(_ name: String, _ help: String, _ value: some BinaryInteger) -> MetricFamily
  {
    MetricFamily(
      name: "livetape_" + name, kind: .counter, help: help, samples: [MetricSample(.count(value))])
  }

  private var serverFamilies: [MetricFamily] {
    let reasons = UnreadyReason.Code.allCases.map { code in
      MetricSample(.count(readiness.reasons.count { $0.code == code }), ("reason", code.rawValue))
    }
    return [
      gauge("ready", "Whether /readyz says so.", .flag(readiness.isReady)),
      MetricFamily(
        name: "livetape_unready_reasons", kind: .gauge,
        help: "Why the server is not ready, counted by reason.", samples: reasons),
      gauge("ledger_accepting", "Whether orders can be kept and so are taken.", .flag(takesOrders)),
      gauge("history_bytes", "What the kept history takes on disk.", .integer(history.bytes)),
      gauge(
        "history_budget_bytes", "The most that it may take, without its write-ahead log.",
        .integer(historyBudget)),
      gauge("history_writing", "Whether the history is written.", .flag(history.failure == nil)),
      counter(
        "history_dropped_total", "Candles dropped because too many waited for the disk.",
        history.droppedCount),
    ]
  }

  private func each(
    _ name: String, _ kind: MetricFamily.Kind, _ help: String,
    _ value: (Venue) -> MetricNumber?
  ) -> MetricFamily {
    let samples = connections.keys.sorted().compactMap { venue in
      value(venue).map { MetricSample($0, ("venue", venue.rawValue)) }
    }
    return MetricFamily(name: "livetape_venue_" + name, kind: kind, help: help, samples: samples)
  }

  private var venueFamilies: [MetricFamily] {
    [
      each("connected", .gauge, "Whether data can flow.") {
        connections[$0].map { .flag($0.phase.isConnected) }
      },
      each("frames_total", .counter, "Messages of a WebSocket, reads of a TCP stream.") {
        .count(traffic[$0]?.frames ?? 0)
      },
      each("bytes_total", .counter, "Bytes of those, without the transport's own.") {
        .count(traffic[$0]?.bytes ?? 0)
      },
      each("rejects_total", .counter, "Messages that could not be read.") {
        connections[$0].map { .count($0.rejectedMessages) }
      },
      each("skipped_instruments", .gauge, "Instruments of the venue's list that are left out.") {
        connections[$0].map { .count($0.skippedInstruments) }
      },
      each("resyncs_total", .counter, "Books found doubtful and refetched.") {
        connections[$0].map { .count($0.resyncs) }
      },
      each("reconnects_total", .counter, "Attempts to reconnect.") {
        connections[$0].map { .count($0.reconnects) }
      },
      each("connections_total", .counter, "Connections opened.") {
        .count(connectionsOpened[$0] ?? 0)
      },
      each("round_trip_seconds", .gauge, "From a ping to its answer, the latest.") {
        connections[$0]?.roundTripMicroseconds.map { .nanoseconds($0 &* 1000) }
      },
      each("silence_seconds", .gauge, "Since the latest message of any kind.") {
        connections[$0]?.lastMessage.map {
          .milliseconds(max(0, now.monotonic.milliseconds(since: $0.monotonic)))
        }
      },
    ]
  }

  private var truthFamilies: [MetricFamily] {
    let doubtful: [TruthLevel] = [.live, .late, .resyncing, .blind]
    let levels = connections.keys.sorted().flatMap { venue in
      TruthLevel.allCases.filter { $0 != .unwatched }.compactMap { level in
        truths[venue].map {
          MetricSample(
            .milliseconds($0[level] ?? 0), ("venue", venue.rawValue), ("level", level.rawValue))
        }
      }
    }
    let shown = ages.keys.sorted().flatMap { venue in
      [("0.5", 500), ("0.99", 990), ("1", 1000)].map { name, thousandths in
        MetricSample(
          ages[venue]?.percentile(thousandths).map { .milliseconds($0) } ?? .none,
          ("venue", venue.rawValue), ("quantile", name))
      }
    }
    return [
      MetricFamily(
        name: "livetape_venue_book_seconds_today", kind: .gauge,
        help: "How long this UTC day books on pages were at each level, summed over books.",
        samples: levels),
      each(
        "not_proven_seconds_today", .gauge,
        "How long this UTC day books on pages were shown without a proof: live, late, resyncing or "
          + "blind."
      ) { venue in
        truths[venue].map { levels in
          .milliseconds(doubtful.reduce(0) { $0 + (levels[$1] ?? 0) })
        }
      },
      MetricFamily(
        name: "livetape_venue_value_age_seconds", kind: .gauge,
        help: "Since values on pages were confirmed: percentiles over those values now.",
        samples: shown),
    ]
  }

  private var pageFamilies: [MetricFamily] {
    [
      gauge("pages", "Pages connected now.", .count(pages)),
      gauge("pages_behind", "Pages whose sockets are full now.", .count(pagesBehind)),
      counter("page_frames_total", "Frames made for pages.", counts.frames),
      counter("page_bytes_total", "Bytes handed to pages' sockets.", bytesSent),
      counter(
        "page_conflated_total", "Changes that went into a frame with an earlier one.",
        counts.conflated),
      counter("page_slow_total", "How often a page's socket was full.", counts.fallenBehind),
    ]
  }
}

extension LatencyReport {
  /// The latency families of several venues; unmeasured ones have no samples.
  static func families(of reports: [LatencyReport]) -> [MetricFamily] {
    [percentiles(of: reports)]
      + clocks(
        of: reports, "venue", "The venue's clock less that of the machine that reads it.", \.clock)
      + clocks(
        of: reports, "reader", "Behind a bus: the reader's clock less this machine's.",
        \.readerClock)
  }

  private static func percentiles(of reports: [LatencyReport]) -> MetricFamily {
    let figures = reports.flatMap(\.figures).filter { $0.span == .lastMinute }
    let samples = figures.flatMap { figures in
      [("0.5", figures.p50), ("0.9", figures.p90), ("0.99", figures.p99), ("1", figures.max)].map {
        MetricSample(
          .nanoseconds($0.1), ("venue", figures.venue.rawValue), ("rung", figures.rung.rawValue),
          ("quantile", $0.0))
      }
    }
    return MetricFamily(
      name: "livetape_latency_seconds", kind: .gauge,
      help: "How long messages that began a frame took, rung by rung, in the last minute.",
      samples: samples)
  }

  private static func clocks(
    of reports: [LatencyReport], _ whose: String, _ help: String,
    _ clock: (LatencyReport) -> ClockEstimate?
  ) -> [MetricFamily] {
    func samples(_ value: (ClockEstimate) -> Int64) -> [MetricSample] {
      reports.compactMap { report in
        clock(report).map {
          MetricSample(.nanoseconds(value($0)), ("venue", report.venue.rawValue))
        }
      }
    }
    let name = "livetape_\(whose)_clock"
    return [
      MetricFamily(
        name: "\(name)_offset_seconds", kind: .gauge, help: help, samples: samples(\.offset)),
      MetricFamily(
        name: "\(name)_uncertainty_seconds", kind: .gauge,
        help: "How far \(name)_offset_seconds may be off.", samples: samples(\.within)),
    ]
  }
}
