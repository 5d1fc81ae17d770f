import MarketModel
import OrderMatching
import WireJSON

/// The name of an instrument as a client wrote it; the published server validates nothing.
struct IsinName: Sendable, Equatable {
  /// The longest name that is kept, in bytes; longer ones are ignored.
  static let maximumBytes = 128

  /// The value as JSON, as in the first quote after a subscription.
  let json: [UInt8]
  /// The value as text, as in later quotes and for unsubscribing.
  let key: String
}

/// One key of a client's message, parsed as tolerantly as by the published server.
enum IsinCommand: Sendable, Equatable {
  /// Start quotes for these.
  case subscribe([IsinName])
  /// Stop quotes for these.
  case unsubscribe([IsinName])

  static let maximumNames = 200

  /// Parses a message; throws when it is not JSON, and returns nothing for JSON of another kind.
  static func parse(_ bytes: Span<UInt8>) throws(JSONError) -> [IsinCommand] {
    var cursor = JSONCursor()
    var commands: [IsinCommand] = []
    if try cursor.peek(bytes) == UInt8(ascii: "{") {
      try cursor.object(bytes) { (key, cursor) throws(JSONError) in
        switch key {
        case "subscribe": commands.append(.subscribe(try names(bytes, &cursor)))
        case "unsubscribe": commands.append(.unsubscribe(try names(bytes, &cursor)))
        default: break
        }
      }
    } else {
      try cursor.skipValue(bytes)
    }
    try cursor.finish(bytes)
    return commands
  }

  private static func names(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [IsinName] {
    guard try cursor.peek(bytes) == UInt8(ascii: "[") else {
      return [try name(bytes, &cursor)].compactMap(\.self)
    }
    var names: [IsinName] = []
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
      guard let name = try name(bytes, &cursor), names.count < maximumNames else { return }
      names.append(name)
    }
    return names
  }

  /// Any value: the published server also accepts numbers and objects, as JavaScript's text.
  private static func name(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> IsinName? {
    let kind = try cursor.peek(bytes)
    let start = cursor.offset
    try cursor.skipValue(bytes)
    let range = start..<cursor.offset
    guard range.count <= IsinName.maximumBytes else { return nil }
    let json = range.map { bytes[$0] }
    switch kind {
    case UInt8(ascii: "\""):
      let text = JSONText.decode(bytes, (start + 1)..<(cursor.offset - 1))
      return IsinName(json: json, key: text)
    case UInt8(ascii: "{"): return IsinName(json: json, key: "[object Object]")
    case UInt8(ascii: "["): return nil
    default: return IsinName(json: json, key: String(decoding: json, as: UTF8.self))
    }
  }
}

/// One quote in units of 10^-14 euros: the digits of JavaScript's numbers without binary floats.
struct IsinPrice: Sendable, Equatable {
  static let scale = Scale(clamping: 14)
  static let unit: Int64 = 100_000_000_000_000
  static let hundredth: Int64 = unit / 100
  private static let lowest: Int64 = unit / 50
  private static let highest: Int64 = 10_000 * unit

  /// The middle of both.
  let price: Int64
  let bid: Int64
  let ask: Int64

  /// The best prices of a market in cents; each is worth `euro` / `dollars` of a euro.
  init(_ top: MarketTop, euro: Int64 = 1, dollars: Int64 = 1) {
    let (bid, ask) = top.prices
    self.bid = IsinPrice.product(bid * IsinPrice.hundredth, euro, by: dollars)
    self.ask = IsinPrice.product(ask * IsinPrice.hundredth, euro, by: dollars)
    price = (self.bid + self.ask) / 2
  }

  /// A price with the published server's bid and ask, a cent away.
  init(_ units: Int64) {
    price = min(max(units, IsinPrice.lowest), IsinPrice.highest)
    (bid, ask) = (price - IsinPrice.hundredth, price + IsinPrice.hundredth)
  }

  /// A name that is no share of the market: 20 to 300 at the start, the same for equal seeds.
  init(unlisted name: String, seed: UInt64, at microseconds: Int64) {
    var stable = SplitMix64(seed: SeedText.seed(seed, name))
    let start = 20 * IsinPrice.unit + stable.below(280 * IsinPrice.unit)
    let offset = Underlying.stock(name).path(seed: seed).offset(at: microseconds)
    self.init(start + start / 1_000_000 * (min(max(offset, -300_000_000), 300_000_000) / 1000))
  }

  /// The same movement from another price: `units` when this was `base`.
  func rebased(_ units: Int64, from base: Int64) -> IsinPrice {
    IsinPrice(IsinPrice.product(units, price, by: base))
  }

  /// Anywhere from 0.02 to 300.02, as the published server starts a subscription.
  static func anywhere(_ random: inout SplitMix64) -> Int64 { lowest + random.below(300 * unit) }

  func write(to writer: inout JSONWriter, digits: IsinStreamBehaviour.Digits) {
    for (key, units) in [("price", price), ("bid", bid), ("ask", ask)] as [(StaticString, Int64)] {
      writer.key(key)
      switch digits {
      case .full: writer.number(FixedDecimal(units: units, scale: IsinPrice.scale).trimmed)
      case .two:
        writer.number(FixedDecimal(units: units / IsinPrice.hundredth, scale: Scale(clamping: 2)))
      }
    }
  }

  /// `left` × `right` ÷ `divisor` in 128 bits; all are positive.
  private static func product(_ left: Int64, _ right: Int64, by divisor: Int64) -> Int64 {
    let whole = left.magnitude.multipliedFullWidth(by: right.magnitude)
    guard whole.high < divisor.magnitude else { return highest }
    return Int64(clamping: divisor.magnitude.dividingFullWidth(whole).quotient)
  }
}

/// How closely a ``SimulatedIsinStream`` follows the published server.
public struct IsinStreamBehaviour: Sendable, Equatable {
  /// How numbers are written.
  public enum Digits: Sendable, Equatable {
    /// Up to 14 digits after the point, as the published server writes its doubles.
    case full
    /// Two digits, as the brief writes them.
    case two
  }

  /// The effect of a message that is not JSON.
  public enum Malformed: Sendable, Equatable {
    /// The connection that sent it is cut without a close frame.
    case dropsSender
    /// Every connection is cut: the published server's process dies.
    case dropsEveryone
  }

  /// The first price of a subscription.
  public enum FirstPrice: Sendable, Equatable {
    /// The market's, the same for all clients.
    case stable
    /// Anywhere from 0.02 to 300.02, for each subscription: resubscribing can change the price by
    /// any amount. From there it moves like the market.
    case anywhere
  }

  /// Full digits, only the sender dropped, stable prices: for normal use.
  public static let usable = IsinStreamBehaviour()
  /// As ``usable``, with the two digits of the brief.
  public static let spec = IsinStreamBehaviour(digits: .two)
  /// As the published server, its faults included.
  public static let published = IsinStreamBehaviour(
    malformed: .dropsEveryone, firstPrice: .anywhere)

  /// How numbers are written.
  public let digits: Digits
  /// The effect of a message that is not JSON.
  public let malformed: Malformed
  /// The first price of a subscription.
  public let firstPrice: FirstPrice

  /// Creates a set of choices.
  public init(
    digits: Digits = .full, malformed: Malformed = .dropsSender, firstPrice: FirstPrice = .stable
  ) {
    self.digits = digits
    self.malformed = malformed
    self.firstPrice = firstPrice
  }
}
