// The fixed parts of the book changes that BitMEX sends today, as numbers to compare with. A test
// spells each one out.

/// Texts between the values of a message.
enum BitMEXSpelling {
  /// `{"table":"orderB`.
  static var head: JSONSpelling { JSONSpelling(16, 0x2265_6c62_6174_227b, 0x4272_6564_726f_223a) }
  /// `ookL2","action":`.
  static var headEnd: JSONSpelling {
    JSONSpelling(16, 0x222c_2232_4c6b_6f6f, 0x3a22_6e6f_6974_6361)
  }
  /// `"update","data":`.
  static var update: JSONSpelling { JSONSpelling(16, 0x2265_7461_6470_7522, 0x3a22_6174_6164_222c) }
  /// `"insert","data":`.
  static var insert: JSONSpelling { JSONSpelling(16, 0x2274_7265_736e_6922, 0x3a22_6174_6164_222c) }
  /// `"delete","data":`.
  static var delete: JSONSpelling { JSONSpelling(16, 0x2265_7465_6c65_6422, 0x3a22_6174_6164_222c) }
  /// `{"symbol":"`.
  static var symbol: JSONSpelling { JSONSpelling(11, 0x6c6f_626d_7973_227b, 0x22_3a22) }
  /// `","id":`.
  static var identifier: JSONSpelling { JSONSpelling(7, 0x3a_2264_6922_2c22) }
  /// `,"side":"`.
  static var side: JSONSpelling { JSONSpelling(9, 0x3a22_6564_6973_222c, 0x22) }
  /// `Buy"`.
  static var buy: JSONSpelling { JSONSpelling(4, 0x2279_7542) }
  /// `Sell"`.
  static var sell: JSONSpelling { JSONSpelling(5, 0x22_6c6c_6553) }
  /// `,"size":`.
  static var size: JSONSpelling { JSONSpelling(8, 0x3a22_657a_6973_222c) }
  /// `,"price":`.
  static var price: JSONSpelling { JSONSpelling(9, 0x2265_6369_7270_222c, 0x3a) }
  /// `,"timestamp":`.
  static var time: JSONSpelling { JSONSpelling(13, 0x7473_656d_6974_222c, 0x3a_2270_6d61) }
  /// `,"transactTime":`.
  static var transactTime: JSONSpelling {
    JSONSpelling(16, 0x6173_6e61_7274_222c, 0x3a22_656d_6954_7463)
  }
}
