import MarketModel

/// A fault of one HTTP response, applied to its bytes without the venue's involvement.
public enum ResponseFault: Sendable, Hashable, CaseIterable {
  /// The venue is not available: 503.
  case unavailable
  /// Too many requests: Kraken's error text with status 200, at others 429.
  case limited
  /// Its end is missing.
  case truncate
  /// It is of another pair or instrument.
  case otherInstrument
  /// Its candles are of another length.
  case otherInterval
  /// Two rows are swapped.
  case reorder
  /// A row comes twice.
  case duplicate
  /// A row other than the last has another quantity.
  case tamper

  /// The request that is sent to the venue instead.
  func rewritten(_ request: VenueRequest) -> VenueRequest {
    let query = request.query.map { name, value -> (name: String, value: String) in
      switch (self, name) {
      case (.otherInstrument, "pair"): (name, value.contains("ETH") ? "SOLUSD" : "ETHUSD")
      case (.otherInstrument, "symbol"): (name, value == "ETHUSD" ? "SOLUSD" : "ETHUSD")
      case (.otherInterval, "interval"): (name, value == "5" ? "15" : "5")
      case (.otherInterval, "binSize"): (name, value == "5m" ? "1h" : "5m")
      default: (name, value)
      }
    }
    return VenueRequest(path: request.path, query: query, headers: request.headers)
  }

  /// The response that is sent instead.
  func applied(
    to response: VenueResponse, of request: VenueRequest, _ random: inout SplitMix64
  ) -> VenueResponse {
    switch self {
    case .unavailable: return VenueResponse(status: 503, body: [], headers: ["retry-after": "1"])
    case .limited:
      guard request.path.hasPrefix("/0/") else {
        return VenueResponse(status: 429, body: [], headers: ["retry-after": "1"])
      }
      let words = KrakenCallProblem.tooMany.words
      return VenueResponse(status: 200, body: Array("{\"error\":[\"\(words)\"]}".utf8))
    case .otherInstrument, .otherInterval: return response
    case .truncate:
      let length = Int(random.below(Int64(max(1, response.body.count))))
      return response.with(Array(response.body.prefix(length)))
    case .reorder, .duplicate, .tamper:
      var rows = ResponseRows(response.body)
      guard rows.rows.count > 1 else { return response }
      let row = Int(random.below(Int64(rows.rows.count - 1)))
      switch self {
      case .reorder: rows.rows.swapAt(row, row + 1)
      case .duplicate: rows.rows.insert(rows.rows[row], at: row)
      default: rows.tamper(from: row)
      }
      return response.with(rows.bytes)
    }
  }
}

extension VenueResponse {
  func with(_ body: [UInt8]) -> VenueResponse {
    VenueResponse(status: status, body: body, headers: headers)
  }
}

/// The first list of lists or objects in a JSON text, split into its rows.
struct ResponseRows {
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  /// The rows; empty when there is no such list.
  var rows: [[UInt8]] = []

  /// Splits a text; O(n).
  init(_ bytes: [UInt8]) {
    var (depth, isText, isEscaped) = (0, false, false)
    var (list, begin): (Int?, Int?)
    head = bytes
    for (index, byte) in bytes.enumerated() {
      if isText {
        if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if list == nil, index > 0, bytes[index - 1] == UInt8(ascii: "[") {
          list = depth
          head = Array(bytes[..<index])
        }
        if depth == list { begin = index }
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        guard let list else { continue }
        if depth == list, let begin { rows.append(Array(bytes[begin...index])) }
        if depth < list {
          tail = Array(bytes[index...])
          return
        }
      default: break
      }
    }
    // A truncated text is left unchanged.
    (head, rows) = (bytes, [])
  }

  var bytes: [UInt8] { head + rows.joined(separator: [UInt8(ascii: ",")]) + tail }

  /// Changes the quantity of the first row from `row` on that has one, but not of the last row.
  mutating func tamper(from row: Int) {
    let order = Array(row..<max(row, rows.count - 1)) + Array(0..<row)
    for row in order where ResponseRows.tamper(&rows[row]) { return }
  }

  /// Changes the quantity of the row that starts at a time in seconds, if it exists and has trades.
  mutating func tamper(start seconds: Int64) {
    let prefix = Array("[\(seconds),".utf8)
    for row in rows.indices where rows[row].starts(with: prefix) {
      _ = ResponseRows.tamper(&rows[row])
    }
  }

  /// Changes the last digit of a row's quantity; returns false when it is zero or missing.
  ///
  /// The quantity is the last text with a point, or the number after `"volume":`.
  private static func tamper(_ row: inout [UInt8]) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let key = Array("\"volume\":".utf8)
    var found: (isZero: Bool, end: Int)?
    var index = 0
    while index < row.count {
      let isKey = row[index...].starts(with: key)
      guard isKey || row[index] == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      let begin = index + (isKey ? key.count : 1)
      var end = begin
      while end < row.count, digits.contains(row[end]) || row[end] == UInt8(ascii: ".") {
        end += 1
      }
      let number = row[begin..<end]
      let isText = end < row.count && row[end] == UInt8(ascii: "\"")
      if isKey || (isText && number.contains(UInt8(ascii: "."))) {
        let isZero = number.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
        found = (isZero, end - 1)
        if isKey { break }
      }
      index = max(end, index + 1)
    }
    guard let found, !found.isZero else { return false }
    row[found.end] = row[found.end] == UInt8(ascii: "9") ? UInt8(ascii: "8") : row[found.end] + 1
    return true
  }
}
