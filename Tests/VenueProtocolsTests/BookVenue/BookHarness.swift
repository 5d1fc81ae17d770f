import MarketModel
import VenueProtocols

/// Drives a session of a book venue as a host would, and records its effects; the messages are each
/// venue's own.
protocol BookHarness {
  associatedtype Session: VenueSession
  /// The default symbol.
  static var usual: Symbol { get }
  var session: Session { get set }
  var milliseconds: Int64 { get set }
  var effects: [SessionEffect] { get set }
  /// The wall clock; nil: as long after 1970 as the monotonic clock after its start.
  var wall: Timestamp? { get set }
}

extension BookHarness {
  var now: ClockReading {
    ClockReading(
      monotonic: MonotonicTime(milliseconds: milliseconds),
      wall: wall ?? Timestamp(milliseconds: milliseconds))
  }

  @discardableResult
  mutating func input(_ input: SessionInput) -> [SessionEffect] {
    effects = session.handle(input, at: now)
    return effects
  }

  @discardableResult
  mutating func receive(_ text: String) -> [SessionEffect] { receive(bytes: Array(text.utf8)) }

  @discardableResult
  mutating func receive(bytes: [UInt8]) -> [SessionEffect] {
    milliseconds += 10
    effects = session.receive(bytes.span, kind: .text, at: now)
    return effects
  }

  @discardableResult
  mutating func wait(_ duration: Int64) -> [SessionEffect] {
    milliseconds += duration
    return input(.timer)
  }

  func book(_ symbol: Symbol = Self.usual) -> BookView? {
    guard case .book(let view)? = session.value(for: .init(.book, symbol), at: now) else {
      return nil
    }
    return view
  }

  func tape(_ symbol: Symbol = Self.usual) -> TapeView? {
    guard case .trades(let view)? = session.value(for: .init(.trades, symbol), at: now) else {
      return nil
    }
    return view
  }

  func figures(_ symbol: Symbol = Self.usual) -> DayFigures? {
    guard case .figures(let view)? = session.value(for: .init(.figures, symbol), at: now) else {
      return nil
    }
    return view
  }

  func quote(_ symbol: Symbol = Self.usual) -> QuoteView? {
    guard case .quote(let view)? = session.value(for: .init(.quote, symbol), at: now) else {
      return nil
    }
    return view
  }

  /// The problems of the latest input.
  var problems: [VenueProblem.Kind] {
    effects.compactMap {
      switch $0 {
      case .rejected(let problem), .reconnect(let problem), .refuse(let problem): problem.kind
      default: nil
      }
    }
  }

  /// "100.5×0.1 | 101×2": bids, then asks, best first.
  func table(_ symbol: Symbol = Self.usual) -> String { book(symbol).map(BookTable.text) ?? "none" }
}

enum BookTable {
  /// "100.5×0.1 | 101×2": bids, then asks, best first, without trailing zeros.
  static func text(_ view: BookView) -> String {
    func side(_ rows: [BookRow]) -> String {
      rows.map { row in
        let price = FixedDecimal(row.price, scale: view.priceScale).trimmed
        return "\(price)×\(FixedDecimal(row.size, scale: view.quantityScale).trimmed)"
      }.joined(separator: " ")
    }
    return "\(side(view.bids)) | \(side(view.asks))"
  }
}
