// The spelling that BitMEX uses for book changes today, byte for byte: keys in one order, nothing
// between them. Here it is compared instead of searched, since it is nearly all that comes; any
// other spelling, right or wrong, is left untouched for the careful code.

import MarketModel
import WireJSON

extension BitMEXDecoder {
  /// Takes a message's text up to the rows of an update, insert or delete of `orderBookL2`.
  ///
  /// Nil, with nothing taken, for any other text.
  @inline(always)
  func usualHead(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) -> BitMEXAction? {
    var trial = cursor
    guard trial.takes(BitMEXSpelling.head, bytes), trial.takes(BitMEXSpelling.headEnd, bytes) else {
      return nil
    }
    let action: BitMEXAction
    if trial.takes(BitMEXSpelling.update, bytes) {
      action = .update
    } else if trial.takes(BitMEXSpelling.insert, bytes) {
      action = .insert
    } else if trial.takes(BitMEXSpelling.delete, bytes) {
      action = .delete
    } else {
      return nil
    }
    cursor = trial
    return action
  }

  /// Takes a book row of the latest symbol; size, price and times may be left out.
  ///
  /// Nil, with nothing taken, for any other text, and where a field that `action` needs is not
  /// there.
  @inline(always)
  func usualBookRow(
    _ action: BitMEXAction, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) -> BitMEXBookRow? {
    var trial = cursor
    guard trial.takes(BitMEXSpelling.symbol, bytes),
      let symbol = symbols.takeLatest(bytes, &trial),
      trial.takes(BitMEXSpelling.identifier, bytes),
      let id = trial.plainUnits(bytes, places: 0),
      trial.takes(BitMEXSpelling.side, bytes)
    else { return nil }
    var row = BitMEXBookRow(symbol: symbol, id: id)
    if trial.takes(BitMEXSpelling.buy, bytes) {
      row.isBid = true
    } else if trial.takes(BitMEXSpelling.sell, bytes) {
      row.isBid = false
    } else {
      return nil
    }
    guard takeUsualAmounts(of: &row, action, bytes, &trial), trial.takeTimes(bytes),
      trial.takes(UInt8(ascii: "}"), bytes)
    else { return nil }
    cursor = trial
    return row
  }

  /// Takes size and price, as many as are there; false where the careful code must decide.
  @inline(always)
  private func takeUsualAmounts(
    of row: inout BitMEXBookRow, _ action: BitMEXAction, _ bytes: Span<UInt8>,
    _ cursor: inout JSONCursor
  ) -> Bool {
    if action != .delete, cursor.takes(BitMEXSpelling.size, bytes) {
      guard let size = cursor.plainUnits(bytes, places: 0), size > 0 else { return false }
      row.size = size
    }
    if cursor.takes(BitMEXSpelling.price, bytes) {
      guard let price = cursor.plainUnits(bytes, places: bitMEXPriceDigits) else {
        return false
      }
      if action != .delete { row.price = price }
    }
    let needsBoth = action == .insert || action == .partial
    return !needsBoth || (row.size != nil && row.price != nil)
  }
}

extension JSONCursor {
  /// Takes the times of a row, as many as are there; false where the careful code must decide.
  @inline(always)
  fileprivate mutating func takeTimes(_ bytes: Span<UInt8>) -> Bool {
    if takes(BitMEXSpelling.time, bytes), !takeTime(bytes) { return false }
    if takes(BitMEXSpelling.transactTime, bytes), !takeTime(bytes) { return false }
    return true
  }

  /// Takes a string of 24 characters such as "2021-07-22T22:36:07.865Z" without reading it; says
  /// whether it was there.
  @inline(always)
  private mutating func takeTime(_ bytes: Span<UInt8>) -> Bool {
    let start = offset &+ 1
    guard offset >= 0, offset <= bytes.count &- 26, bytes[offset] == UInt8(ascii: "\""),
      bytes[start &+ 24] == UInt8(ascii: "\"")
    else { return false }
    let unlike =
      JSONCursor.unlikeTime(JSONCursor.eightBytes(bytes, start))
      | JSONCursor.unlikeTime(JSONCursor.eightBytes(bytes, start &+ 8))
      | JSONCursor.unlikeTime(JSONCursor.eightBytes(bytes, start &+ 16))
    guard unlike & 0x8080_8080_8080_8080 == 0 else { return false }
    offset &+= 26
    return true
  }

  /// Sets a top bit unless all bytes lie between "-" and "[", where the characters of times are and
  /// none that ends a string or needs a check.
  @inline(always)
  private static func unlikeTime(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    return (word &- ones &* 0x2d) | (word &+ ones &* 0x24) | word
  }
}
