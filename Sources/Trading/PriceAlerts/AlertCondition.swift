public import MarketModel

/// What an alert waits for.
public enum AlertCondition: Hashable, Sendable {
  /// A trade at a price or beyond it, seen from the side of the trade before.
  case price(FixedDecimal)
  /// A rise of the price by percent within seconds, or a fall below 0, from the lowest or highest
  /// price of that time.
  case change(percent: FixedDecimal, seconds: Int64)
  /// A spread of at least so many basis points of the mid.
  case spread(basisPoints: FixedDecimal)
  /// At least this volume traded within seconds.
  case volume(FixedDecimal, seconds: Int64)
  /// No valid book for so many seconds, whatever the reason.
  case invalidBook(seconds: Int64)

  /// The kinds; the raw value is their name in files and messages.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case price, change, spread, volume, book

    /// Whether it has a ``AlertCondition/level``.
    public var hasLevel: Bool { self != .book }

    /// The bounds of ``AlertCondition/seconds``; nil without.
    public var seconds: ClosedRange<Int64>? {
      switch self {
      case .price, .spread: nil
      case .change, .volume: 60...86_400
      case .book: 1...3600
      }
    }

    /// The seconds of a new alert unless they are chosen; nil without.
    public var usualSeconds: Int64? {
      switch self {
      case .price, .spread: nil
      case .change, .volume: 900
      case .book: 5
      }
    }

    /// The most decimals of a level.
    var maximumDecimals: UInt8 { self == .change || self == .spread ? 2 : 12 }
  }

  /// Creates a condition from its parts; nil if one is missing, superfluous or out of bounds.
  ///
  /// Whether a price may be 0 or less depends on the venue.
  public init?(_ kind: Kind, level: FixedDecimal?, seconds: Int64?) {
    guard (level != nil) == kind.hasLevel, (seconds != nil) == (kind.seconds != nil) else {
      return nil
    }
    let seconds = seconds ?? 0
    let level = level?.trimmed ?? FixedDecimal(units: 0, scale: .whole)
    let least = FixedDecimal(units: -100, scale: .whole)
    guard kind.seconds?.contains(seconds) ?? true,
      kind == .book || kind == .price || level.units != 0,
      level.scale.digits <= kind.maximumDecimals, kind != .change || level > least,
      kind == .change || kind == .price || level.units >= 0
    else { return nil }
    switch kind {
    case .price: self = .price(level)
    case .change: self = .change(percent: level, seconds: seconds)
    case .spread: self = .spread(basisPoints: level)
    case .volume: self = .volume(level, seconds: seconds)
    case .book: self = .invalidBook(seconds: seconds)
    }
  }

  /// What it is about.
  public var kind: Kind {
    switch self {
    case .price: .price
    case .change: .change
    case .spread: .spread
    case .volume: .volume
    case .invalidBook: .book
    }
  }

  /// The price, percent, basis points or volume; nil for a book.
  public var level: FixedDecimal? {
    switch self {
    case .price(let level), .change(let level, _), .spread(let level), .volume(let level, _): level
    case .invalidBook: nil
    }
  }

  /// Its window, or how long a book is invalid; nil without.
  public var seconds: Int64? {
    switch self {
    case .price, .spread: nil
    case .change(_, let seconds), .volume(_, let seconds), .invalidBook(let seconds): seconds
    }
  }

  /// Whether it looks back over trades.
  var hasWindow: Bool { kind == .change || kind == .volume }

  /// Whether it needs the order book or best prices.
  public var needsBook: Bool { kind == .spread || kind == .book }

  /// Whether a value measured now fulfils it; not for prices, whose side before counts.
  func isMet(by value: FixedDecimal) -> Bool {
    switch self {
    case .price: false
    case .change(let percent, _): percent.units > 0 ? value >= percent : value <= percent
    case .spread(let level), .volume(let level, _): value >= level
    case .invalidBook(let seconds): value >= FixedDecimal(units: seconds, scale: .whole)
    }
  }
}

/// What is known of an order book, or of a feed's best prices.
public enum AlertBookState: Hashable, Sendable {
  /// Valid and current; a side may be empty.
  case live(bid: FixedDecimal?, ask: FixedDecimal?)
  /// Valid so far, but late.
  case late
  /// In doubt, disconnected, or not received yet.
  case invalid

  /// The spread in basis points of the mid, cut to hundredths; nil unless both prices are current.
  var spread: FixedDecimal? {
    guard case .live(let bid?, let ask?) = self else { return nil }
    let scale = max(bid.scale, ask.scale)
    guard let bid = bid.exactly(at: scale)?.units, let ask = ask.exactly(at: scale)?.units,
      bid > 0, ask >= bid
    else { return nil }
    return hundredths((ask - bid).magnitude, of: bid.magnitude + ask.magnitude, per: 20_000)
  }
}

/// `part` ÷ `whole` × `per`, cut to two decimals; nil without a whole, the most on overflow.
///
/// It reaches a level of two decimals exactly when the exact quotient does.
func hundredths(_ part: UInt64, of whole: UInt64, per: UInt64) -> FixedDecimal? {
  guard whole > 0 else { return nil }
  let product = part.multipliedFullWidth(by: per * 100)
  let quotient = product.high < whole ? whole.dividingFullWidth(product).quotient : .max
  return FixedDecimal(units: Int64(clamping: quotient), scale: Scale(clamping: 2))
}
