// The families of `/metrics` that are read at the scrape. Every one is there from the first scrape
// on, so that a dashboard may name it.

import FeedConnections
import HistoryStore
import MarketModel
import MarketStreams

extension OperationsReading {
  /// All of them; those of the metrics API are the ``PrometheusRegistry``'s.
  var families: [MetricFamily] { serverFamilies + venueFamilies + truthFamilies + pageFamilies }

  private func gauge(_ name: String, _ help: String, _ value: MetricNumber) -> MetricFamily {
    MetricFamily(
      name: "livetape_" + name, kind: .gauge, help: help, samples: [MetricSample(value)])
  }

  private func counter(_ name: String, _ help: String, _ value: some BinaryInteger) -> MetricFamily
  {
    MetricFamily(
      name: "livetape_" + name, kind: .counter, help: help, samples: [MetricSample(.count(value))])
  }

  private var serverFamilies: [MetricFamily] {
    let reasons = UnreadyReason.Code.allCases.map { code in
      MetricSample(
        .count(readiness.reasons.count { $0.code == code }), ("reason", code.rawValue))
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
      each("resyncs_total", .counter, "Books found doubtful and fetched anew.") {
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
