/// Kraken's keys and words of at most eight bytes as `JSONCursor.keyCode` returns them; a test
/// spells each one out.
enum KrakenKeyCode {
  static let channel: UInt64 = 0x6c_656e_6e61_6863
  static let type: UInt64 = 0x6570_7974
  static let data: UInt64 = 0x6174_6164
  static let symbol: UInt64 = 0x6c6f_626d_7973
  static let bids: UInt64 = 0x7364_6962
  static let asks: UInt64 = 0x736b_7361
  static let checksum: UInt64 = 0x6d75_736b_6365_6863
  static let price: UInt64 = 0x65_6369_7270
  static let quantity: UInt64 = 0x79_7471
  static let side: UInt64 = 0x6564_6973
  static let tradeIdentifier: UInt64 = 0x6469_5f65_6461_7274
  static let method: UInt64 = 0x646f_6874_656d
  static let success: UInt64 = 0x73_7365_6363_7573
  static let error: UInt64 = 0x72_6f72_7265
  static let warnings: UInt64 = 0x7367_6e69_6e72_6177
  static let result: UInt64 = 0x746c_7573_6572
  static let pairs: UInt64 = 0x73_7269_6170
  static let status: UInt64 = 0x7375_7461_7473
  static let system: UInt64 = 0x6d65_7473_7973
  static let requestIdentifier: UInt64 = 0x6469_5f71_6572
  static let depth: UInt64 = 0x68_7470_6564
  static let book: UInt64 = 0x6b6f_6f62
  static let trade: UInt64 = 0x65_6461_7274
  static let ticker: UInt64 = 0x7265_6b63_6974
  static let last: UInt64 = 0x7473_616c
  static let change: UInt64 = 0x6567_6e61_6863
  static let high: UInt64 = 0x6867_6968
  static let low: UInt64 = 0x77_6f6c
  static let volume: UInt64 = 0x656d_756c_6f76
  static let vwap: UInt64 = 0x7061_7776
  static let bid: UInt64 = 0x64_6962
  static let bidQuantity: UInt64 = 0x79_7471_5f64_6962
  static let ask: UInt64 = 0x6b_7361
  static let askQuantity: UInt64 = 0x79_7471_5f6b_7361
  static let trades: UInt64 = 0x7365_6461_7274
  static let snapshot: UInt64 = 0x746f_6873_7061_6e73
  static let update: UInt64 = 0x6574_6164_7075
  static let buy: UInt64 = 0x79_7562
  static let sell: UInt64 = 0x6c6c_6573
}
