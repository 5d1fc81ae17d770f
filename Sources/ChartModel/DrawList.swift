// What to draw, as plain numbers: the same list feeds the browser's canvas and the phone's.

public import MarketModel

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
  /// Whether it closed at or above its open.
  public var isUp: Bool
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

/// One of the person's own fills.
public struct FillMark: Hashable, Sendable {
  /// From the left.
  public var x: Float
  /// From the top.
  public var y: Float
  /// Bought or sold.
  public var side: Side
}

/// Everything in one picture of a chart.
public struct DrawList: Hashable, Sendable {
  /// Candles from left to right; empty in line style.
  public var candles: [CandleMark] = []
  /// The price line from left to right; empty in candle style.
  public var line: [LineMark] = []
  /// Interruptions, from left to right.
  public var gaps: [GapMark] = []
  /// Grid lines, lowest price first.
  public var prices: [PriceMark] = []
  /// Grid lines, earliest first.
  public var times: [TimeMark] = []
  /// Own fills inside the view.
  public var fills: [FillMark] = []
  /// The latest price's height; nil without one.
  public var liveY: Float?

  /// Nothing.
  public init() {}

  /// Empties all lists and keeps their memory.
  mutating func removeAll() {
    candles.removeAll(keepingCapacity: true)
    line.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
    prices.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    fills.removeAll(keepingCapacity: true)
    liveY = nil
  }
}
