import MarketModel
import WireJSON

/// A book as a page draws it, after the page's own checks: the rules of `book/proof.js`, with the
/// row reader that the page's WebAssembly is built from.
struct ShownBook {
  /// The hash of the ten best rows a side, as in ``BookTruth``.
  let rows: UInt64
  let rowCount: Int
  let isProven: Bool
  let freshness: String
  /// The server's silence after which the page shows the book as late, in milliseconds.
  let lateAfter: Int64?
}

enum BookJudgement {
  case drawn(ShownBook)
  case nothing
  /// The server resyncs: the earlier rows stay, with the server's freshness.
  case kept(freshness: String)
  /// It contradicts its own proof: never drawn.
  case refused(String)
}

struct BookJudge {
  private static let yes = Array("true".utf8)

  private var reader = BookRowsReader()

  /// A page's judgement of a state of a book's topic.
  mutating func judge(_ state: PageState) -> BookJudgement {
    guard state["known"]?.bytes == BookJudge.yes else { return .nothing }
    let freshness = state["freshness"]?["state"]?.text ?? ""
    let proof = state["proof"]
    let checksum = proof?["checksum"]
    let priceDigits = checksum?["priceDigits"]?.integer ?? 0
    let sizeDigits = checksum?["sizeDigits"]?.integer ?? 0
    let text = BookJudge.text(state)
    guard
      let found = reader.findings(
        in: text.span, price: Scale(clamping: UInt8(clamping: priceDigits)),
        size: Scale(clamping: UInt8(clamping: sizeDigits)))
    else { return .refused("rows that can't be read") }
    let isWhole = proof?["hash"].flatMap(BookJudge.hash) == found.hash
    let isVenues = checksum?["value"]?.integer == found.checksum.map { Int64($0) }
    if isWhole, !found.isCrossed, checksum == nil || isVenues {
      guard let sides = BookJudge.sides(state) else { return .refused("rows without numbers") }
      return .drawn(
        ShownBook(
          rows: BookTruth.hash(bids: sides.bids, asks: sides.asks),
          rowCount: sides.bids.count + sides.asks.count, isProven: checksum != nil,
          freshness: freshness, lateAfter: state["freshness"]?["lateAfter"]?.integer))
    }
    if isWhole, state["status"]?.text != "synced" { return .kept(freshness: freshness) }
    return .refused(
      isWhole
        ? (found.isCrossed ? "a crossed book that is synced" : "another checksum than the venue's")
        : "another hash than the server's")
  }

  /// `[bids,asks,spread,basisPoints,bidShare,group]`.
  private static func text(_ state: PageState) -> [UInt8] {
    var text = Array("[".utf8)
    for key in ["bids", "asks", "spread", "basisPoints", "bidShare", "group"] {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += state[key]?.bytes ?? Array("null".utf8)
    }
    return text + Array("]".utf8)
  }

  /// `[high,low]`.
  private static func hash(_ value: PageState) -> UInt64? {
    guard let bytes = value.bytes else { return nil }
    let halves = bytes.dropFirst().dropLast().split(separator: UInt8(ascii: ",")).compactMap {
      UInt64(String(decoding: $0, as: UTF8.self))
    }
    return halves.count == 2 ? halves[0] << 32 | halves[1] : nil
  }

  private typealias Rows = [(FixedDecimal, FixedDecimal)]

  private static func sides(_ state: PageState) -> (bids: Rows, asks: Rows)? {
    guard let bids = state["bids"]?.bytes, let asks = state["asks"]?.bytes,
      let bidRows = rows(bids), let askRows = rows(asks)
    else { return nil }
    return (bidRows, askRows)
  }

  private static func rows(_ bytes: [UInt8]) -> Rows? {
    let span = bytes.span
    var cursor = JSONCursor()
    var rows: Rows = []
    do throws(JSONError) {
      try cursor.beginArray(span)
      var first = true
      while try cursor.nextElement(span, first: &first) {
        try cursor.beginArray(span)
        var isFirst = true
        var numbers: [FixedDecimal] = []
        while try cursor.nextElement(span, first: &isFirst) {
          if numbers.count < 2 {
            let digits = try cursor.string(span)
            guard let number = FixedDecimal(ascii: span.extracting(digits)) else { return nil }
            numbers.append(number)
          } else {
            try cursor.skipValue(span)
          }
        }
        guard numbers.count == 2 else { return nil }
        rows.append((numbers[0], numbers[1]))
      }
    } catch {
      return nil
    }
    return rows
  }
}
