// What the decoder makes of the channels that are read.

import MarketModel

/// A channel that is read.
enum KrakenChannel: UInt8, WireChannel {
  static let venueName = "Kraken"

  case instrument
  case book
  case trade
  case ticker
  case status
  case heartbeat

  /// As on the wire.
  var name: String {
    switch self {
    case .instrument: "instrument"
    case .book: "book"
    case .trade: "trade"
    case .ticker: "ticker"
    case .status: "status"
    case .heartbeat: "heartbeat"
    }
  }

  var part: BookTopic.Part? {
    switch self {
    case .instrument: .details
    case .book: .book
    case .trade: .trades
    case .ticker: .figures
    case .status, .heartbeat: nil
    }
  }
}

/// Whether a message replaces what was known.
enum KrakenAction: UInt8, Equatable {
  case snapshot
  case update
}

/// One changed level; size 0 takes it out.
struct KrakenLevel: Equatable {
  var isBid: Bool
  /// In units of the pair's price scale; positive.
  var price: Int64
  /// In units of the pair's quantity scale; 0 or more.
  var size: Int64
}

/// One book of a message.
struct KrakenBookPart: Equatable {
  /// Index in the pair table.
  var pair: Int
  /// Where its levels lie in the decoder's buffer.
  var levels: Range<Int>
  var checksum: UInt32
  /// The scales by which the levels were read.
  var scales: BookScales
}

/// What `instrument` says of a pair.
struct KrakenPairInfo: Equatable {
  var scales: BookScales
  /// Whether there is a market: false while the pair is delisted, in the making or in maintenance.
  var isOpen: Bool
}

/// The state of the venue's engine.
enum KrakenSystem: Equatable {
  /// Data flows; trading may be restricted (cancel_only, post_only, limit_only).
  case running
  /// Nothing is traded: silence is right.
  case maintenance
}
