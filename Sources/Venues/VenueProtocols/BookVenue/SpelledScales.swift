import MarketModel
import OrderBook
import WireJSON

/// The scales of instruments whose precision no message states: as many digits as the venue has
/// written so far.
///
/// A message with more digits raises the scales; the market then converts what it holds. Numbers
/// stay exact, and prices are shown with the digits that the venue uses.
struct SpelledScales {
  /// Finer than any price or size step; a message with more digits is rejected.
  static let maximum = BookScales(price: Scale(clamping: 12), quantity: Scale(clamping: 10))

  struct Raise: Equatable {
    let number: Int
    let former: BookScales
  }

  private var scales: [BookScales] = []
  /// What the latest message raised.
  private(set) var raised: Raise?

  subscript(number: Int) -> BookScales {
    number < scales.count ? scales[number] : BookScales(price: .whole, quantity: .whole)
  }

  mutating func beginMessage() { raised = nil }

  /// Raises scales to at least these digits; false if nothing changes or the digits are too many.
  mutating func raise(_ number: Int, to spelled: BookScales) -> Bool {
    let former = self[number]
    let new = BookScales(
      price: max(former.price, spelled.price), quantity: max(former.quantity, spelled.quantity))
    guard new != former, new.price <= Self.maximum.price, new.quantity <= Self.maximum.quantity
    else { return false }
    while scales.count <= number {
      scales.append(BookScales(price: .whole, quantity: .whole))
    }
    scales[number] = new
    raised = Raise(number: number, former: former)
    return true
  }

  /// Undoes the latest raise, because its message was rejected.
  mutating func revert() {
    if let raised { scales[raised.number] = raised.former }
    raised = nil
  }
}

/// Reads prices and sizes at the scales of an instrument, or measures the digits that they need.
struct SpelledReader {
  /// The scales to read at.
  var scales = BookScales(price: .whole, quantity: .whole)
  /// The digits found; nil while reading.
  var measured: BookScales?
  /// Whether zeros at the end of a fraction don't count, for venues that pad all numbers.
  var trimsZeros = false

  /// A positive price; with `mayBeZero`, 0 as well, where it means no price.
  @inline(__always)
  mutating func price(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, mayBeZero: Bool = false
  ) throws(JSONError) -> Int64 {
    let start = cursor.offset
    if measured != nil { return try measure(isPrice: true, bytes, &cursor) }
    let units = try cursor.looseUnits(bytes, scale: scales.price)
    guard units > 0 || mayBeZero && units == 0 else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return units
  }

  /// A size of 0 or more.
  @inline(__always)
  mutating func size(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Int64 {
    let start = cursor.offset
    if measured != nil { return try measure(isPrice: false, bytes, &cursor) }
    let units = try cursor.looseUnits(bytes, scale: scales.quantity)
    guard units >= 0 else { throw JSONError(.numberOutOfRange, at: start) }
    return units
  }

  @inline(never)
  private mutating func measure(
    isPrice: Bool, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int64 {
    let value = try cursor.looseDecimal(bytes)
    let found = trimsZeros ? value.trimmed.scale : value.scale
    guard var measured else { return 1 }
    if isPrice {
      measured.price = max(measured.price, found)
    } else {
      measured.quantity = max(measured.quantity, found)
    }
    self.measured = measured
    return 1
  }
}

/// A decoder of instruments whose precision no message states.
///
/// A message of it is one instrument's, and identifies levels by price.
protocol SpelledDecoder: BookDecoder {
  var spelled: SpelledScales { get set }
  var reader: SpelledReader { get set }
  /// The number of the latest message's instrument; nil for an unknown one.
  var number: Int? { get }
  /// The channel of the latest message, even if that was rejected later; nil when unknown.
  var channel: Wire? { get }
  /// Where the latest message names its market; its rows may name it again.
  var name: Range<Int> { get }
  var levels: [LevelRow] { get set }

  mutating func decodeObject(_ bytes: Span<UInt8>) throws(JSONError) -> Message
}

extension SpelledDecoder {
  /// Maximum trades or figures of a message.
  static var maximumRows: Int { 10_000 }

  mutating func decode(_ bytes: Span<UInt8>) throws(BookDecodeError<Wire>) -> Message {
    try decodeAtAnyScale(bytes)
  }

  mutating func decodeAtAnyScale(_ bytes: Span<UInt8>) throws(BookDecodeError<Wire>) -> Message {
    spelled.beginMessage()
    do {
      return try decodeObject(bytes)
    } catch {
      if let message = decodeFiner(bytes, after: error) { return message }
      throw BookDecodeError(error, channel: channel, in: bytes)
    }
  }

  /// Decodes a message whose numbers have more digits than those before; nil when it is invalid.
  private mutating func decodeFiner(_ bytes: Span<UInt8>, after error: JSONError) -> Message? {
    guard error.reason == .numberOutOfRange, let number else { return nil }
    reader.measured = BookScales(price: .whole, quantity: .whole)
    let isReadable = (try? decodeObject(bytes)) != nil
    let measured = reader.measured
    reader.measured = nil
    guard isReadable, let measured, spelled.raise(number, to: measured) else { return nil }
    if let message = try? decodeObject(bytes) { return message }
    spelled.revert()
    return nil
  }

  /// Checks a market's name in a row: a row of another market than the message's is invalid.
  ///
  /// The case of letters may differ, as between Binance's streams and symbols.
  @inline(__always)
  func confirmName(_ bytes: Span<UInt8>, _ found: Range<Int>) throws(JSONError) {
    guard found.count == name.count else { throw JSONError(.wrongType, at: found.lowerBound) }
    for index in 0..<found.count {
      let difference = bytes[found.lowerBound &+ index] ^ bytes[name.lowerBound &+ index]
      guard difference & ~0x20 == 0 else { throw JSONError(.wrongType, at: found.lowerBound) }
    }
  }

  /// Reads `[["78715","1.27"],…]`; further elements of a level are skipped.
  mutating func readLevels(
    isBid: Bool, atMost maximum: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    // A copy, so that the offset stays in a register.
    var rows = cursor
    try rows.beginArray(bytes)
    var first = true
    while try rows.nextElement(bytes, first: &first) {
      guard levels.count < maximum else { throw JSONError(.tooLong, at: rows.offset) }
      try rows.beginArray(bytes)
      let price = try reader.price(bytes, &rows)
      try rows.take(UInt8(ascii: ","), bytes)
      let size = try reader.size(bytes, &rows)
      var isFirst = false
      while try rows.nextElement(bytes, first: &isFirst) { try rows.skipValue(bytes) }
      levels.append(LevelRow(isBid: isBid, price: price, size: size))
    }
    cursor = rows
  }

  /// Reads an array of rows.
  mutating func readRows(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor,
    row: (inout Self, inout JSONCursor) throws(JSONError) -> Void
  ) throws(JSONError) {
    var count = 0
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      guard count < Self.maximumRows else { throw JSONError(.tooLong, at: cursor.offset) }
      count += 1
      try row(&self, &cursor)
    }
  }

  /// The first level of each side, which is the best.
  var bestLevels: BestLevels {
    let bid = levels.first { $0.isBid }
    let ask = levels.first { !$0.isBid }
    return BestLevels(
      bidPrice: bid?.price, bidSize: bid?.size, askPrice: ask?.price, askSize: ask?.size)
  }
}

extension JSONCursor {
  /// The next time in milliseconds since 1970, written as a number or as a string.
  mutating func milliseconds(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp {
    let start = offset
    let value = try looseUnits(bytes, scale: .whole)
    // Nanoseconds count up to the year 2262.
    guard (0...Int64.max / 1_000_000).contains(value) else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return Timestamp(milliseconds: value)
  }

  /// The next number in units of a scale, written as a number or as a string.
  @inline(__always)
  mutating func looseUnits(_ bytes: Span<UInt8>, scale: Scale) throws(JSONError) -> Int64 {
    let quote = UInt8(ascii: "\"")
    guard try peek(bytes) == quote else { return try units(bytes, scale: scale) }
    offset &+= 1
    let value = try units(bytes, scale: scale)
    guard offset < bytes.count, bytes[offset] == quote else {
      throw JSONError(.unexpectedCharacter, at: offset)
    }
    offset &+= 1
    return value
  }
}

// MARK: - Conversion

extension BookMarket where Venue.Decoder: SpelledDecoder, Venue.Sync: TopComparingSync {
  /// Converts what the market holds of an instrument if the latest message raised its scales.
  mutating func applyRaisedScales() {
    guard let raised = decoder.spelled.raised else { return }
    rescale(raised.number, from: raised.former)
    books.states[raised.number].tops.removeAll()
    let scales = decoder.spelled[raised.number]
    books.states[raised.number].rescaleHeld(
      price: powerOfTen(Int(scales.price.digits - raised.former.price.digits)),
      size: powerOfTen(Int(scales.quantity.digits - raised.former.quantity.digits)))
  }

  /// Applies best levels of the second stream, with the number of the book that they belong to.
  mutating func applyBestLevels(of number: Int, sequence: Int64?, _ now: ClockReading) {
    guard books.accepts(number) else { return }
    let top = decoder.bestLevels
    audits.states[number].trust.beginImage()
    if !takesEverything { hear(.quote, top, of: number, at: now) }
    guard let sequence else { return }
    note(books.states[number].compare(top, sequence: sequence), of: number, now)
  }

  /// Records the outcome of a book's message.
  @inline(__always)
  mutating func note(_ outcome: BookTrust.Outcome, of number: Int, _ now: ClockReading) {
    books.note(number, outcome)
    if outcome == .dropped { return }
    note(number, .book)
    confirmQuote(number, now)
  }
}

extension BookMarket {
  /// Converts an instrument's book, trades and quote from former scales to larger ones.
  ///
  /// O(levels). A book whose numbers don't fit is doubtful, trades that don't fit are dropped.
  fileprivate mutating func rescale(_ number: Int, from former: BookScales) {
    let scales = Venue.scales(number, in: self)
    let price = powerOfTen(Int(scales.price.digits - former.price.digits))
    let size = powerOfTen(Int(scales.quantity.digits - former.quantity.digits))
    instruments[number].witnesses.forgetAll()
    instruments[number].tape.rescale(price: price, size: size)
    instruments[number].quote.rescale(price: price)
    books.change(number) { $0.rescale(price: price, size: size) }
    _ = audits.states[number].rescale(price: price, size: size)
  }
}

extension BookSync {
  fileprivate mutating func rescale(price: Int64, size: Int64) -> BookTrust.Outcome {
    if book.isEmpty { return .dropped }
    let levels = book.levels(.bid) + book.levels(.ask)
    book.removeAll()
    for level in levels {
      let (units, priceOverflows) = level.price.units.multipliedReportingOverflow(by: price)
      let (amount, sizeOverflows) = level.size.units.multipliedReportingOverflow(by: size)
      if priceOverflows || sizeOverflows {
        return trust.takesChanges ? trust.doubt(.unreadable) : .dropped
      }
      book.set(level.side, price: Price(units: units), size: Quantity(units: amount))
    }
    return .dropped
  }
}
