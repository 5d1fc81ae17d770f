/// Coinbase's short keys and words as `JSONCursor.keyCode` returns them; a test spells each out.
enum CoinbaseKeyCode {
  static let channel: UInt64 = 0x6c_656e_6e61_6863
  static let type: UInt64 = 0x6570_7974
  static let events: UInt64 = 0x7374_6e65_7665
  static let message: UInt64 = 0x65_6761_7373_656d
  static let reason: UInt64 = 0x6e6f_7361_6572
  static let updates: UInt64 = 0x73_6574_6164_7075
  static let trades: UInt64 = 0x7365_6461_7274
  static let tickers: UInt64 = 0x73_7265_6b63_6974
  static let products: UInt64 = 0x7374_6375_646f_7270
  static let side: UInt64 = 0x6564_6973
  static let price: UInt64 = 0x65_6369_7270
  static let size: UInt64 = 0x657a_6973
  static let time: UInt64 = 0x656d_6974
  static let identifier: UInt64 = 0x6469
  static let status: UInt64 = 0x7375_7461_7473
  static let bid: UInt64 = 0x64_6962
  static let offer: UInt64 = 0x72_6566_666f
  static let buy: UInt64 = 0x59_5542
  static let sell: UInt64 = 0x4c4c_4553
  static let update: UInt64 = 0x6574_6164_7075
  static let snapshot: UInt64 = 0x746f_6873_7061_6e73
  static let error: UInt64 = 0x72_6f72_7265
  static let book: UInt64 = 0x61_7461_645f_326c
  static let fetched: UInt64 = 0x64_6568_6374_6566
  static let ticker: UInt64 = 0x7265_6b63_6974
}
