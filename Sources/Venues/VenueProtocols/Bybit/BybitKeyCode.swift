/// Bybit's short keys and words as `JSONCursor.keyCode` returns them; a test spells each one out.
enum BybitKeyCode {
  static let topic: UInt64 = 0x63_6970_6f74
  static let type: UInt64 = 0x6570_7974
  static let data: UInt64 = 0x6174_6164
  static let success: UInt64 = 0x73_7365_6363_7573
  static let message: UInt64 = 0x67_736d_5f74_6572
  static let operation: UInt64 = 0x706f
  static let request: UInt64 = 0x6469_5f71_6572
  static let symbol: UInt64 = 0x73
  static let bids: UInt64 = 0x62
  static let asks: UInt64 = 0x61
  static let update: UInt64 = 0x75
  static let sequence: UInt64 = 0x71_6573
  static let identifier: UInt64 = 0x69
  static let time: UInt64 = 0x54
  static let price: UInt64 = 0x70
  static let size: UInt64 = 0x76
  static let side: UInt64 = 0x53
  static let buy: UInt64 = 0x79_7542
  static let sell: UInt64 = 0x6c6c_6553
  static let snapshot: UInt64 = 0x746f_6873_7061_6e73
  static let fetched: UInt64 = 0x64_6568_6374_6566
  static let delta: UInt64 = 0x61_746c_6564
}
