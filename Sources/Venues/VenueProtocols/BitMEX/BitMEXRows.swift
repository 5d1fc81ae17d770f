// Rows of BitMEX's table messages as plain integers; the decoder reuses their buffers.

import MarketModel

/// BitMEX prices in units of 10^-8: every tick size ever listed fits.
let bitMEXPriceScale = Scale(clamping: 8)

/// The supported tables; all others are ignored.
enum BitMEXTable: UInt8, WireChannel {
  static let venueName = "BitMEX"

  case orderBookL2
  case orderBookL2Top25
  case trade
  case quote
  case instrument

  var name: String {
    switch self {
    case .orderBookL2: "orderBookL2"
    case .orderBookL2Top25: "orderBookL2_25"
    case .trade: "trade"
    case .quote: "quote"
    case .instrument: "instrument"
    }
  }

  var part: BookTopic.Part? {
    switch self {
    case .orderBookL2: .book
    case .orderBookL2Top25: .audit
    case .trade: .trades
    case .quote: .quote
    case .instrument: .details
    }
  }
}

enum BitMEXAction: UInt8, Equatable {
  case partial
  case insert
  case update
  case delete
}

/// A row of `orderBookL2` or `orderBookL2_25`; the present fields depend on action and year.
struct BitMEXBookRow: Equatable {
  /// Index in the decoder's symbol table.
  var symbol = 0
  /// Opaque since July 2023; never used to derive a price.
  var id: Int64 = 0
  /// Nil where the venue sends none (allowed on update and delete).
  var isBid: Bool?
  /// In contracts, positive; nil where absent and on delete.
  var size: Int64?
  /// In units of 10^-8; nil where absent (updates before 2023) and on delete.
  var price: Int64?
}

struct BitMEXQuoteRow: Equatable {
  var symbol = 0
  var top = BestLevels()
}

/// The fields of `instrument` that are used; nil where the message does not change them.
struct BitMEXInstrumentRow: Equatable {
  var symbol = 0
  var tickSize: FixedDecimal?
  var lastPrice: FixedDecimal?
  var bidPrice: FixedDecimal?
  var askPrice: FixedDecimal?
}
