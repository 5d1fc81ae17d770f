// Pairs as small numbers, so that rows need no strings. Only pairs that somebody wants get one;
// rows of others are skipped without a look at their numbers.

import MarketModel

/// The pairs that are kept, numbered in the order in which they were wanted.
struct KrakenPairTable {
  /// Far more pairs than a server watches at once.
  static let maximumCount = 4096

  private(set) var symbols: [Symbol] = []
  /// What is known of each pair; nil before the instrument channel has named it.
  private(set) var scales: [KrakenScales?] = []
  private var names: [ContiguousArray<UInt8>] = []
  private var numbersByHash: [UInt64: Int] = [:]
  private var numbers: [Symbol: Int] = [:]

  /// The number of a pair, given a new one if need be; nil when the table is full.
  mutating func number(of symbol: Symbol) -> Int? {
    if let known = numbers[symbol] { return known }
    let name = ContiguousArray(symbol.text.utf8)
    let hash = KrakenPairTable.hash(name.span, 0..<name.count)  // rule-exception: a ContiguousArray
    guard symbols.count < KrakenPairTable.maximumCount, numbersByHash[hash] == nil else {
      return nil
    }
    numbersByHash[hash] = symbols.count
    numbers[symbol] = symbols.count
    symbols.append(symbol)
    names.append(name)
    scales.append(nil)
    return symbols.count - 1
  }

  /// The number of a pair that has one.
  func known(_ symbol: Symbol) -> Int? { numbers[symbol] }

  /// The number of the pair whose name is this range of a message; nil when it is not kept.
  ///
  /// Allocates nothing.
  func known(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard let number = numbersByHash[KrakenPairTable.hash(bytes, range)],
      names[number].count == range.count
    else { return nil }
    for index in 0..<range.count where names[number][index] != bytes[range.lowerBound &+ index] {
      return nil
    }
    return number
  }

  mutating func setScales(_ new: KrakenScales, of number: Int) { scales[number] = new }

  private static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
