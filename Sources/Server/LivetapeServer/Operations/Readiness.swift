import MarketModel
import WireJSON

struct UnreadyReason: Equatable, Sendable {
  enum Code: String, Sendable, CaseIterable {
    /// Venues or orders have not been loaded yet.
    case starting
    /// A venue is unreachable, or silent for longer than its heartbeat allows.
    case venueDisconnected = "venue_disconnected"
    /// A book on a page is not live.
    case bookNotLive = "book_not_live"
    /// A book on a page lacks the checksum that its venue sends.
    case bookUnproven = "book_unproven"
    /// Orders can't be stored, so they are rejected.
    case ordersRefused = "orders_refused"
  }

  let code: Code
  var venue: Venue?
  var symbol: Symbol?
  let text: String
}

/// Whether everything the server shows is valid now, and why not.
struct Readiness: Equatable, Sendable {
  static let maximumReasons = 64

  /// Venues first, then orders, then books; empty if ready.
  var reasons: [UnreadyReason] = []

  var isReady: Bool { reasons.isEmpty }

  /// `{"ready":false,"count":1,"reasons":[{"code":"book_not_live","venue":"kraken",…}]}`, with the
  /// first ``maximumReasons`` reasons; `count` includes all.
  var json: [UInt8] {
    JSONWriter.object { writer in
      writer.member("ready", isReady)
      writer.member("count", reasons.count)
      writer.objects("reasons", reasons.prefix(Readiness.maximumReasons)) { writer, reason in
        writer.member("code", reason.code.rawValue)
        if let venue = reason.venue { writer.member("venue", venue.rawValue) }
        if let symbol = reason.symbol { writer.member("symbol", symbol.text) }
        writer.member("text", reason.text)
      }
    }
  }
}
