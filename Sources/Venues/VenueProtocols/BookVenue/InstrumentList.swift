import MarketModel
import VenueCatalogue
import WireJSON

/// An instrument in a venue's list over HTTP.
struct ListedRow: Equatable, Sendable {
  let instrument: ListedInstrument
  /// Nil where the list states none.
  var priceStep: FixedDecimal?
  var sizeStep: FixedDecimal?
}

/// One page of a list.
struct ListPage: Equatable {
  var rows: [ListedRow] = []
  /// Where the next page begins; empty after the last one.
  var next = ""
  /// The venue's refusal in a response of status 200; nil without one.
  var refusal: String?
  /// Whether the refusal is for the rate of requests.
  var isLimited = false
}

/// A response to a request for a page.
enum ListOutcome: Equatable {
  case page(ListPage, from: String)
  case failed(ListFailure)
}

struct ListFailure: Equatable {
  /// The HTTP status; 0 without a response, 200 of an unusable list.
  var status: Int
  var retryAfterSeconds: Int?
  /// What is wrong with a list of status 200, or the venue's text.
  var text = ""
  var isLimited = false

  /// For logs: "HTTP 429".
  var description: String {
    let reason = status == 0 ? "no response" : "HTTP \(status)"
    return text.isEmpty ? reason : status == 200 ? text : "\(reason): \(text)"
  }

  /// The venue's pause for requests, in milliseconds; 0 when it demands none.
  var waitMilliseconds: Int64 {
    let usual: Int64 =
      switch status {
      case 403, 418, 451: 300_000
      case 429: 60_000
      default: isLimited ? 60_000 : 0
      }
    return retryAfterSeconds.map { Int64($0) * 1000 } ?? usual
  }
}

/// Where a venue lists its instruments over HTTP, and how the list is read.
struct InstrumentList: Sendable {
  /// More instruments than a venue has ever listed; a longer list is refused.
  static let maximumCount = SymbolTable.maximumCount
  /// In place of a path, where another session's list is carried over.
  private static let checkpointPath = "checkpoint:instruments"

  /// Path and query of the first page.
  let path: String
  /// The most bytes of a page.
  var maximumBytes = 8 << 20
  /// Reads a body.
  let read:
    @Sendable (_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> ListPage

  func request(from page: String) -> FetchRequest {
    FetchRequest(path: page.isEmpty ? path : "\(path)&cursor=\(page)", maximumBytes: maximumBytes)
  }

  /// Reads a response whose path has been read; nil for a response to another request.
  func outcome(
    of target: String, _ members: FetchedResponse.Members, _ bytes: Span<UInt8>
  ) throws(JSONError) -> ListOutcome? {
    let isCheckpoint = target == Self.checkpointPath
    guard let page = isCheckpoint ? "" : page(of: target) else { return nil }
    var failure = ListFailure(status: members.status, retryAfterSeconds: members.retryAfterSeconds)
    guard members.status == 200, let body = members.body else {
      if members.status == 200 { failure.text = "no list" }
      return .failed(failure)
    }
    var content = JSONCursor(offset: body)
    let found = isCheckpoint ? try Self.checkpoint(bytes, &content) : try read(bytes, &content)
    guard let refusal = found.refusal else { return .page(found, from: page) }
    (failure.text, failure.isLimited) = (refusal, found.isLimited)
    return .failed(failure)
  }

  /// The page of a path, which in recordings is the whole address.
  private func page(of target: String) -> String? {
    if target.hasSuffix(path) { return "" }
    let parts = target.split(separator: "&")
    guard let last = parts.last, last.hasPrefix("cursor="),
      target.dropLast(last.utf8.count + 1).hasSuffix(path)
    else { return nil }
    return String(last.dropFirst(7))
  }

  // MARK: Checkpoints

  /// The message that carries a list over to another session.
  static func message(_ rows: [ListedRow]) -> [UInt8] {
    var writer = JSONWriter(capacity: 96 * rows.count)
    writer.objects(nil, rows) { writer, row in
      writer.member("symbol", row.instrument.symbol.text)
      writer.member("base", row.instrument.base)
      writer.member("quote", row.instrument.quote)
      writer.member("kind", row.instrument.kind.rawValue)
      writer.member("state", row.instrument.isOpen ? "open" : "closed")
      if let step = row.priceStep { writer.member("price", decimal: step) }
      if let step = row.sizeStep { writer.member("size", decimal: step) }
    }
    return FetchedResponse(path: checkpointPath, status: 200, body: writer.bytes).message
  }

  static func message(_ failure: ListFailure) -> [UInt8] {
    FetchedResponse(
      path: checkpointPath, status: failure.status,
      retryAfterSeconds: Int(failure.waitMilliseconds / 1000)
    ).message
  }

  private static func checkpoint(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> ListPage {
    ListPage(
      rows: try rows(bytes, &cursor) { (cursor) throws(JSONError) in
        var texts = ListedTexts()
        try texts.read(
          [
            ("symbol", .symbol), ("base", .base), ("quote", .quote), ("state", .state),
            ("price", .priceStep), ("size", .sizeStep), ("kind", .kind),
          ], bytes, &cursor)
        let kind = InstrumentKind(rawValue: texts[.kind]) ?? .spot
        return try texts.row(kind, open: "open", at: cursor.offset)
      })
  }

  /// The rows that are usable here, of an array.
  static func rows(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor,
    _ row: (inout JSONCursor) throws(JSONError) -> ListedRow?
  ) throws(JSONError) -> [ListedRow] {
    var rows: [ListedRow] = []
    var count = 0
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
      guard count < maximumCount else { throw JSONError(.tooLong, at: cursor.offset) }
      count += 1
      if let row = try row(&cursor) { rows.append(row) }
    }
    return rows
  }
}

/// The texts of a row that matter here.
struct ListedTexts {
  enum Field: Int, CaseIterable {
    case symbol, base, quote, state, priceStep, sizeStep, kind, settlement
  }

  private var texts = [String](repeating: "", count: Field.allCases.count)
  private var seen = KeySet()

  subscript(field: Field) -> String { texts[field.rawValue] }

  /// Reads the members of these names from an object, and from the objects in its members `nests`.
  mutating func read(
    _ names: [(name: StaticString, field: Field)], within nests: [StaticString] = [],
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      for (name, field) in names where name ~= key {
        // A nested object may repeat a name.
        try seen.insert(1 << UInt16(field.rawValue), at: key.range.lowerBound)
        return texts[field.rawValue] = try cursor.text(bytes, maximumBytes: 128)
      }
      for nest in nests where nest ~= key { return try read(names, bytes, &cursor) }
    }
  }

  mutating func set(_ field: Field, _ text: String) { texts[field.rawValue] = text }

  /// The row; nil where a name can't be part of a path or a market's name.
  ///
  /// A market in any state but `open` is closed.
  func row(_ kind: InstrumentKind, open: String, at offset: Int) throws(JSONError) -> ListedRow? {
    guard !self[.symbol].isEmpty, !self[.state].isEmpty else {
      throw JSONError(.missingKey, at: offset)
    }
    let (price, size) = (try step(.priceStep, at: offset), try step(.sizeStep, at: offset))
    let (base, quote) = (self[.base], self[.quote])
    guard let symbol = Symbol(self[.symbol]), BookInstrument.isName(symbol.text[...]),
      BookInstrument.isName(base[...]), BookInstrument.isName(quote[...])
    else { return nil }
    return ListedRow(
      instrument: ListedInstrument(
        symbol: symbol, base: base, quote: quote, kind: kind, isOpen: self[.state] == open),
      priceStep: price, sizeStep: size)
  }

  /// A positive number; nil for no text, as venues state for markets that are not open yet.
  private func step(_ field: Field, at offset: Int) throws(JSONError) -> FixedDecimal? {
    if self[field].isEmpty { return nil }
    guard let step = FixedDecimal(self[field]), step.units > 0 else {
      throw JSONError(.numberOutOfRange, at: offset)
    }
    return step
  }
}
