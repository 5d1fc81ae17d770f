import MarketModel

enum KrakenChannel: UInt8, WireChannel {
  static let venueName = "Kraken"

  case instrument
  case book
  case trade
  case ticker
  case status
  case heartbeat

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

/// Whether a message replaces all earlier data.
enum KrakenAction: UInt8, Equatable {
  case snapshot
  case update
}

/// One changed level; size 0 removes it.
struct KrakenLevel: Equatable {
  var isBid: Bool
  /// In units of the pair's price scale; positive.
  var price: Int64
  /// In units of the pair's quantity scale; 0 or more.
  var size: Int64
}

struct KrakenBookPart: Equatable {
  var pair: Int
  /// The range of its levels in the decoder's buffer.
  var levels: Range<Int>
  var checksum: UInt32
  /// The scales with which the levels were read.
  var scales: BookScales
}

struct KrakenPairInfo: Equatable {
  var scales: BookScales
  /// Whether there is a market: false while the pair is delisted, in preparation or in maintenance.
  var isOpen: Bool
}

enum KrakenSystem: Equatable {
  /// Data flows; trading may be restricted (cancel_only, post_only, limit_only).
  case running
  /// No trading: no updates are expected.
  case maintenance
}
