// Symbols as small numbers, so that rows need no strings. A message's rows nearly always name the
// same symbol as the row before.

import MarketModel

/// All symbols seen, numbered in the order of their first appearance.
struct BitMEXSymbolTable {
  /// More symbols than BitMEX ever listed; a message that names more is rejected.
  static let maximumCount = 8192

  private(set) var symbols: [Symbol] = []
  private var numbers: [Symbol: Int] = [:]
  private var latestCode: UInt64 = 0
  private var latestNumber = 0

  /// The number of the symbol that is the next string.
  @inline(__always)
  mutating func number(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int {
    var range = 0..<0
    let code = try cursor.shortString(bytes, &range)
    if code != 0, code == latestCode { return latestNumber }
    return try look(bytes, range, code)
  }

  /// The number of a symbol, given a new one if need be; nil when the table is full.
  mutating func number(of symbol: Symbol) -> Int? {
    if let known = numbers[symbol] { return known }
    guard symbols.count < Self.maximumCount else { return nil }
    symbols.append(symbol)
    numbers[symbol] = symbols.count - 1
    return symbols.count - 1
  }

  /// The number of a symbol seen before.
  func known(_ symbol: Symbol) -> Int? {
    if latestNumber < symbols.count, symbols[latestNumber] == symbol { return latestNumber }
    return numbers[symbol]
  }

  private mutating func look(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ code: UInt64
  ) throws(JSONError) -> Int {
    guard range.count <= Symbol.maximumBytes else {
      throw JSONError(.tooLong, at: range.lowerBound)
    }
    guard let symbol = Symbol(JSONText.decode(bytes, range)), let number = number(of: symbol)
    else { throw JSONError(.badString, at: range.lowerBound) }
    latestCode = code
    latestNumber = number
    return number
  }
}
