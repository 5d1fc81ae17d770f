import MarketModel
import WireJSON

/// Symbols numbered as they occurred or were requested, so that rows need no strings.
struct SymbolTable {
  /// More symbols than any venue lists; a message with more is rejected.
  static let maximumCount = 8192

  private(set) var symbols: [Symbol] = []
  private var names: [ContiguousArray<UInt8>] = []
  private var numbersByHash: [UInt64: Int] = [:]
  private var numbers: [Symbol: Int] = [:]
  private var latest = LatestString(0)

  /// The number of the symbol that is the next string; assigns one if needed.
  ///
  /// A row nearly always has the same symbol as the row before, so that is checked first.
  @inline(__always)
  mutating func number(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Int {
    if let number = cursor.take(latest, bytes) { return number }
    return try otherNumber(bytes, cursor.string(bytes))
  }

  @inline(never)
  private mutating func otherNumber(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(JSONError) -> Int {
    let number = try number(bytes, range)
    latest.set(bytes, range, number)
    return number
  }

  /// The number of the symbol at this range of a message; assigns one if needed.
  mutating func number(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> Int {
    if let known = known(bytes, range) { return known }
    guard range.count <= Symbol.maximumBytes else {
      throw JSONError(.tooLong, at: range.lowerBound)
    }
    guard let symbol = Symbol(JSONText.decode(bytes, range)), let number = number(of: symbol)
    else { throw JSONError(.badString, at: range.lowerBound) }
    return number
  }

  /// The number of the symbol at this range of a message; assigns one if needed only with `adding`.
  mutating func number(
    _ bytes: Span<UInt8>, _ range: Range<Int>, adding: Bool
  ) throws(JSONError) -> Int? {
    adding ? try number(bytes, range) : known(bytes, range)
  }

  /// The number of a symbol; assigns one if needed; nil when the table is full.
  mutating func number(of symbol: Symbol) -> Int? {
    if let known = numbers[symbol] { return known }
    let name = ContiguousArray(symbol.text.utf8)
    let hash = SymbolTable.hash(name.span, 0..<name.count)  // rule-exception: a ContiguousArray
    guard symbols.count < SymbolTable.maximumCount, numbersByHash[hash] == nil else { return nil }
    numbersByHash[hash] = symbols.count
    numbers[symbol] = symbols.count
    symbols.append(symbol)
    names.append(name)
    return symbols.count - 1
  }

  func known(_ symbol: Symbol) -> Int? {
    if latest.value < symbols.count, symbols[latest.value] == symbol { return latest.value }
    return numbers[symbol]
  }

  /// The number of the symbol at this range of a message; nil when it has none.
  ///
  /// Allocates nothing.
  func known(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard let number = numbersByHash[SymbolTable.hash(bytes, range)],
      names[number].count == range.count
    else { return nil }
    for index in 0..<range.count where names[number][index] != bytes[range.lowerBound &+ index] {
      return nil
    }
    return number
  }

  private static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var hash = FNV1a()
    for index in range { hash.combine(byte: bytes[index]) }
    return hash.value
  }
}
