import WireJSON

/// A page's report of when frames arrived and were drawn, in bounded microseconds.
struct FrameReport: Equatable {
  struct Row: Equatable {
    let number: Int
    /// Arrival, by the connection's clock.
    let received: Int64
    /// Time from arrival to drawing.
    let painted: Int64
  }

  static let maximumRows = 16
  /// A minute, the maximum duration.
  static let maximumMicroseconds: Int64 = 60_000_000

  let rows: [Row]
  /// The uncertainty of the page's estimate of the connection's clock.
  let within: Int64

  init(rows: [Row]?, within: Int64?) throws(PageRequestError) {
    guard let rows, let within, !rows.isEmpty else {
      throw .bad("measured and within come together")
    }
    guard (0...FrameReport.maximumMicroseconds).contains(within),
      rows.allSatisfy({ (0...FrameReport.maximumMicroseconds).contains($0.painted) })
    else { throw .bad("a frame is measured in microseconds, a minute at most") }
    self.rows = rows
    self.within = within
  }

  /// `[[frame,received,painted],…]`.
  static func rows(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> [Row] {
    try cursor.list(bytes, atMost: maximumRows) { (cursor) throws(JSONError) in
      let numbers = try cursor.list(bytes, atMost: 3) { (cursor) throws(JSONError) in
        try cursor.integer(bytes)
      }
      guard numbers.count == 3, let number = Int(exactly: numbers[0]) else {
        throw JSONError(.wrongType, at: cursor.offset)
      }
      return Row(number: number, received: numbers[1], painted: numbers[2])
    }
  }
}
