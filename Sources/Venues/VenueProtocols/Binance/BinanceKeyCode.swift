/// Binance's short keys as `JSONCursor.keyCode` returns them; a test spells each one out.
enum BinanceKeyCode {
  static let stream: UInt64 = 0x6d61_6572_7473
  static let data: UInt64 = 0x6174_6164
  static let identifier: UInt64 = 0x6469
  static let code: UInt64 = 0x6564_6f63
  static let message: UInt64 = 0x67_736d
  static let error: UInt64 = 0x72_6f72_7265
  static let event: UInt64 = 0x65
  static let fetched: UInt64 = 0x64_6568_6374_6566
  static let symbol: UInt64 = 0x73
  static let first: UInt64 = 0x55
  static let last: UInt64 = 0x75
  static let bids: UInt64 = 0x62
  static let asks: UInt64 = 0x61
  static let bidSize: UInt64 = 0x42
  static let askSize: UInt64 = 0x41
  static let trade: UInt64 = 0x74
  static let price: UInt64 = 0x70
  static let size: UInt64 = 0x71
  static let time: UInt64 = 0x54
  static let isBuyerMaker: UInt64 = 0x6d
  static let eventTime: UInt64 = 0x45
}
