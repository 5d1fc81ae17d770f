// What to draw, as plain numbers: the same list feeds the browser's canvas and the phone's. The
// browser reads these structures where they lie in memory, so their layout is tested.

public import MarketModel

/// What is to be seen of a candle beside its place.
public struct CandleSigns: OptionSet, Hashable, Sendable {
  /// One bit each; the page reads them in memory.
  public let rawValue: UInt8

  /// Makes a set of its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It closed at or above its open.
  public static let rising = CandleSigns(rawValue: 1)
  /// Not all of its span is vouched for: drawn hollow and dashed.
  public static let partial = CandleSigns(rawValue: 2)
  /// Nobody traded: a dash at the close, without body or volume.
  public static let withoutTrades = CandleSigns(rawValue: 4)
  /// The venue says otherwise: marked above.
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
  /// How it is drawn.
  public var signs: CandleSigns

  /// Whether it closed at or above its open.
  public var isUp: Bool { signs.contains(.rising) }
  /// Whether not all of its span is vouched for: drawn hollow and dashed.
  public var isPartial: Bool { signs.contains(.partial) }
  /// Whether nobody traded: a dash at the close.
  public var isWithoutTrades: Bool { signs.contains(.withoutTrades) }
  /// Whether the venue says otherwise.
  public var isContradicted: Bool { signs.contains(.contradicted) }
}

/// A vertex of the price line; `startsNew` breaks the line before it.
public struct LineMark: Hashable, Sendable {
  /// From the left.
  public var x: Float
  /// From the top.
  public var y: Float
  /// Whether the line is lifted before this vertex: after an interruption.
  public var startsNew: Bool
}

/// A stretch in which nothing could be heard.
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
  /// Hundredths of a percent from the base on a scale of percent, which are written then; else 0.
  public var hundredths: Int32
  /// The price to write beside it.
  public var price: Price
}

/// A vertical grid line with its time.
public struct TimeMark: Hashable, Sendable {
  /// From the left.
  public var x: Float
  /// Milliseconds since 1970.
  public var time: Int64
}

/// The person's own fills of one side in one candle.
public struct FillMark: Hashable, Sendable {
  /// From the left.
  public var x: Float
  /// From the top.
  public var y: Float
  /// How many there are.
  public var count: Int32
  /// Bought or sold.
  public var side: Side
}

/// The latest price.
public struct LiveMark: Hashable, Sendable {
  /// From the top; outside the height when the view does not reach that price.
  public var y: Float
  /// The price that arrived last.
  public var price: Price
  /// Whether the price moved up when it last moved.
  public var isUp: Bool
  /// Hundredths of a percent from the base on a scale of percent; else 0.
  public var hundredths: Int64
  /// Milliseconds until the candle that time is in ends.
  public var closesIn: Int64
}

/// Everything in one picture of a chart.
public struct DrawList: Hashable, Sendable {
  /// Candles from left to right; in line style those with a volume, which is all that is drawn of
  /// them.
  public var candles: [CandleMark] = []
  /// The price line from left to right; empty in candle style.
  public var line: [LineMark] = []
  /// Interruptions, from left to right.
  public var gaps: [GapMark] = []
  /// Grid lines, lowest price first.
  public var prices: [PriceMark] = []
  /// Grid lines, earliest first.
  public var times: [TimeMark] = []
  /// How far apart the times are, milliseconds; of months as if each had 30 days; 0 without any.
  public var timeStep: Int64 = 0
  /// Own fills inside the view.
  public var fills: [FillMark] = []
  /// The latest price; nil without one.
  public var live: LiveMark?
  /// The lines of studies, all of a candle together.
  public var studies: [StudyMark] = []
  /// Volume by price, the lowest first; rows without volume are left out.
  public var profile: [ProfileMark] = []
  /// Waiting orders, in the order in which they were handed in.
  public var orders: [OrderMark] = []
  /// Alerts, in the order in which they were handed in.
  public var alerts: [OrderMark] = []
  /// Drawn lines, in the order in which they were handed in.
  public var drawings: [DrawingMark] = []

  /// Nothing.
  public init() {}

  /// Takes a list out, so that it can grow without being copied.
  static func take<Mark>(_ marks: inout [Mark]) -> [Mark] {
    var taken: [Mark] = []
    swap(&taken, &marks)
    return taken
  }

  /// Empties all lists and keeps their memory.
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
    profile.removeAll(keepingCapacity: true)
    orders.removeAll(keepingCapacity: true)
    alerts.removeAll(keepingCapacity: true)
    drawings.removeAll(keepingCapacity: true)
  }
}
