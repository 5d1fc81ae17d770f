/// BitMEX's short keys and words as `JSONCursor.keyCode` returns them; a test spells each one out.
enum BitMEXKeyCode {
  static let table: UInt64 = 0x65_6c62_6174
  static let action: UInt64 = 0x6e6f_6974_6361
  static let data: UInt64 = 0x6174_6164
  static let filter: UInt64 = 0x7265_746c_6966
  static let error: UInt64 = 0x72_6f72_7265
  static let status: UInt64 = 0x7375_7461_7473
  static let meta: UInt64 = 0x6174_656d
  static let request: UInt64 = 0x74_7365_7571_6572
  static let success: UInt64 = 0x73_7365_6363_7573
  static let info: UInt64 = 0x6f66_6e69
  static let symbol: UInt64 = 0x6c6f_626d_7973
  static let identifier: UInt64 = 0x6469
  static let side: UInt64 = 0x6564_6973
  static let size: UInt64 = 0x657a_6973
  static let price: UInt64 = 0x65_6369_7270
  static let bidSize: UInt64 = 0x65_7a69_5364_6962
  static let askSize: UInt64 = 0x65_7a69_536b_7361
  static let bidPrice: UInt64 = 0x6563_6972_5064_6962
  static let askPrice: UInt64 = 0x6563_6972_506b_7361
  static let tickSize: UInt64 = 0x657a_6953_6b63_6974
  static let partial: UInt64 = 0x6c_6169_7472_6170
  static let insert: UInt64 = 0x7472_6573_6e69
  static let update: UInt64 = 0x6574_6164_7075
  static let delete: UInt64 = 0x6574_656c_6564
  static let buy: UInt64 = 0x79_7542
  static let sell: UInt64 = 0x6c6c_6553
}
