public import MarketModel

/// How a candle is drawn, besides its position.
public struct CandleSigns: OptionSet, Hashable, Sendable {
  /// The bits, which the page reads in memory.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Closed at or above its open.
  public static let rising = CandleSigns(rawValue: 1)
  /// Data is missing: drawn hollow and dashed.
  public static let partial = CandleSigns(rawValue: 2)
  /// No trades: a dash at the close, without body or volume.
  public static let withoutTrades = CandleSigns(rawValue: 4)
  /// Differs from the venue's candle: marked above.
  public static let contradicted = CandleSigns(rawValue: 8)
}

/// One candle, or several merged, in pixels.
public struct CandleMark: Hashable, Sendable {
  /// Centre.
  public var x: Float
  /// Width of the body.
  public var width: Float
  /// Top of the body.
  public var top: Float
  /// Bottom of the body.
  public var bottom: Float
  /// Top of the wick.
  public var wickTop: Float
  /// Bottom of the wick.
  public var wickBottom: Float
  /// Height of the volume bar, from the bottom of the plot.
  public var volumeHeight: Float
  /// The drawing flags.
  public var signs: CandleSigns

  /// Whether it closed at or above its open.
  public var isUp: Bool { signs.contains(.rising) }
  /// Whether data is missing: drawn hollow and dashed.
  public var isPartial: Bool { signs.contains(.partial) }
  /// Whether there were no trades: a dash at the close.
  public var isWithoutTrades: Bool { signs.contains(.withoutTrades) }
  /// Whether the venue's candle differs.
  public var isContradicted: Bool { signs.contains(.contradicted) }
}

/// A vertex of the price line.
public struct LineMark: Hashable, Sendable {
  /// From the left.
  public var x: Float
  /// From the top.
  public var y: Float
  /// Whether the line breaks before this vertex, after a gap.
  public var startsNew: Bool
}

/// A gap in the feed.
public struct GapMark: Hashable, Sendable {
  /// Left edge.
  public var left: Float
  /// Right edge.
  public var right: Float
}

/// A horizontal grid line with its price.
public struct PriceMark: Hashable, Sendable {
  /// From the top.
  public var y: Float
  /// The label on a percent scale, in hundredths of a percent from the base; else 0.
  public var hundredths: Int32
  /// The price of the label.
  public var price: Price
}

/// A vertical grid line with its time.
public struct TimeMark: Hashable, Sendable {
  /// From the left.
  public var x: Float
  /// Milliseconds since 1970.
  public var time: Int64
}

/// The user's fills of one side in one candle.
public struct FillMark: Hashable, Sendable {
  /// From the left.
  public var x: Float
  /// From the top.
  public var y: Float
  /// The number of fills.
  public var count: Int32
  /// Bought or sold.
  public var side: Side
}

/// The latest price.
public struct LiveMark: Hashable, Sendable {
  /// From the top; outside the height when the price is out of view.
  public var y: Float
  /// The latest price by arrival.
  public var price: Price
  /// Whether its latest change was up.
  public var isUp: Bool
  /// Hundredths of a percent from the base on a percent scale; else 0.
  public var hundredths: Int64
  /// Milliseconds until the current candle ends.
  public var closesIn: Int64
}

/// All marks of a chart's picture; the browser reads them in memory, so their layout is tested.
public struct DrawList: Hashable, Sendable {
  /// Candles from left to right; in line style only those with volume, for the volume bars.
  public var candles: [CandleMark] = []
  /// The price line from left to right; empty in candle style.
  public var line: [LineMark] = []
  /// Gaps from left to right.
  public var gaps: [GapMark] = []
  /// Grid lines, lowest price first.
  public var prices: [PriceMark] = []
  /// Grid lines, earliest first.
  public var times: [TimeMark] = []
  /// The distance between the times, milliseconds; months count 30 days; 0 without times.
  public var timeStep: Int64 = 0
  /// The user's fills in view.
  public var fills: [FillMark] = []
  /// The latest price; nil without one.
  public var live: LiveMark?
  /// The studies' lines; all vertices of a candle are adjacent.
  public var studies: [StudyMark] = []
  /// The studies' panes in use, from the top.
  public var panes: [PaneMark] = []
  /// Labelled values of the panes.
  public var guides: [GuideMark] = []
  /// Volume by price, the lowest first, without empty rows.
  public var profile: [ProfileMark] = []
  /// Working orders, in input order.
  public var orders: [OrderMark] = []
  /// Alerts, in input order.
  public var alerts: [OrderMark] = []
  /// The drawn candles in view that crossed the rehearsed level, the oldest first; at the level.
  public var crossings: [LineMark] = []
  /// How many candles crossed it, in view or not: the least number of crossings.
  public var crossingCount = 0
  /// Drawn lines, in input order.
  public var drawings: [DrawingMark] = []

  /// Creates an empty list.
  public init() {}

  static func take<Mark>(_ marks: inout [Mark]) -> [Mark] {
    var taken: [Mark] = []
    swap(&taken, &marks)
    return taken
  }

  mutating func removeAll() {
    candles.removeAll(keepingCapacity: true)
    line.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
    prices.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    timeStep = 0
    fills.removeAll(keepingCapacity: true)
    live = nil
    studies.removeAll(keepingCapacity: true)
    panes.removeAll(keepingCapacity: true)
    guides.removeAll(keepingCapacity: true)
    profile.removeAll(keepingCapacity: true)
    orders.removeAll(keepingCapacity: true)
    alerts.removeAll(keepingCapacity: true)
    crossings.removeAll(keepingCapacity: true)
    crossingCount = 0
    drawings.removeAll(keepingCapacity: true)
  }
}
