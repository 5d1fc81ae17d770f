// Whether what this server shows can be believed now, and why not.

import MarketModel
import WireJSON

/// One reason why a server is not ready.
struct UnreadyReason: Equatable, Sendable {
  /// What is wrong, for programs.
  enum Code: String, Sendable, CaseIterable {
    /// Venues or orders have not been heard of yet.
    case starting
    /// A venue is out of reach, or silent for longer than its heartbeat allows.
    case venueDisconnected = "venue_disconnected"
    /// A book that a page has open is not live.
    case bookNotLive = "book_not_live"
    /// A book that a page has open lacks the checksum that its venue sends.
    case bookUnproven = "book_unproven"
    /// Orders can't be kept, so none is taken.
    case ordersRefused = "orders_refused"
  }

  let code: Code
  /// The venue that it is about; nil for none.
  var venue: Venue?
  /// The instrument that it is about; nil for none.
  var symbol: Symbol?
  /// One line for people.
  let text: String
}

/// What keeps a server from being ready.
struct Readiness: Equatable, Sendable {
  /// The most reasons that are written out.
  static let maximumReasons = 64

  /// Venues first, then orders, then books; empty when all is well.
  var reasons: [UnreadyReason] = []

  /// Whether every number that somebody looks at can be believed.
  var isReady: Bool { reasons.isEmpty }

  /// `{"ready":false,"count":1,"reasons":[{"code":"book_not_live","venue":"kraken",…}]}`, with
  /// the first ``maximumReasons`` reasons; `count` has all.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("ready", isReady)
    writer.member("count", reasons.count)
    writer.member("reasons", array: reasons.prefix(Readiness.maximumReasons)) { writer, reason in
      writer.beginObject()
      writer.member("code", reason.code.rawValue)
      if let venue = reason.venue { writer.member("venue", venue.rawValue) }
      if let symbol = reason.symbol { writer.member("symbol", symbol.text) }
      writer.member("text", reason.text)
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }
}
