public import MarketModel

/// The visible time span and the plot's size in screen pixels; Doubles, since they only place
/// pixels.
public struct Viewport: Hashable, Sendable {
  /// The closest zoom, in milliseconds per pixel.
  public static let minimumMillisecondsPerPixel = 5.0
  /// The widest zoom, about 30 years on 1,000 pixels.
  public static let maximumMillisecondsPerPixel = 1.0e9
  /// The largest width and height in pixels.
  public static let maximumPixels = 32_768.0

  /// Width of the plot in pixels, at least 1.
  public private(set) var width: Double
  /// Height of the plot in pixels, at least 1.
  public private(set) var height: Double
  /// The time at the right edge, milliseconds since 1970.
  public private(set) var rightTime: Double
  /// The zoom, in milliseconds per pixel.
  public private(set) var millisecondsPerPixel: Double
  /// Whether the right edge moves with the newest tick.
  public private(set) var followsLive = true

  /// Creates a viewport that ends at `rightTime`.
  public init(width: Double, height: Double, rightTime: Double, millisecondsPerPixel: Double) {
    self.width = Viewport.boundedSize(width)
    self.height = Viewport.boundedSize(height)
    self.rightTime = rightTime
    self.millisecondsPerPixel = Viewport.bounded(millisecondsPerPixel)
  }

  /// The time at the left edge, milliseconds since 1970.
  public var leftTime: Double { rightTime - width * millisecondsPerPixel }

  /// The pixel of a time, from the left edge.
  public func x(of time: Double) -> Double { (time - leftTime) / millisecondsPerPixel }

  /// The time at a pixel.
  public func time(atX x: Double) -> Double { leftTime + x * millisecondsPerPixel }

  /// Changes the size; keeps the right edge and the zoom.
  public mutating func resize(width: Double, height: Double) {
    self.width = Viewport.boundedSize(width)
    self.height = Viewport.boundedSize(height)
  }

  /// Moves by pixels and stops following; positive shows earlier times.
  public mutating func pan(byPixels pixels: Double) {
    guard pixels.isFinite, pixels != 0 else { return }
    rightTime -= pixels * millisecondsPerPixel
    followsLive = false
  }

  /// Moves the right edge to a time and stops following.
  public mutating func show(rightTime: Double) {
    guard rightTime.isFinite else { return }
    self.rightTime = rightTime
    followsLive = false
  }

  /// Zooms in (factor above 1) or out around pixel `x`, or around the right edge while following.
  public mutating func zoom(by factor: Double, atX x: Double) {
    guard factor.isFinite, factor > 0, x.isFinite else { return }
    let anchor = time(atX: x)
    millisecondsPerPixel = Viewport.bounded(millisecondsPerPixel / factor)
    if !followsLive { rightTime = anchor + (width - x) * millisecondsPerPixel }
  }

  /// Shows `pixelsPerCandle` for each candle of an interval; keeps the right edge.
  public mutating func show(_ interval: CandleInterval, pixelsPerCandle: Double) {
    millisecondsPerPixel = Viewport.bounded(Double(interval.milliseconds) / pixelsPerCandle)
  }

  /// Follows the newest tick again.
  public mutating func backToLive() { followsLive = true }

  /// Moves the right edge to the newest time while following.
  public mutating func follow(rightTime: Double) {
    guard followsLive, rightTime.isFinite else { return }
    self.rightTime = rightTime
  }

  private static func bounded(_ value: Double) -> Double {
    guard value.isFinite else { return maximumMillisecondsPerPixel }
    return min(max(value, minimumMillisecondsPerPixel), maximumMillisecondsPerPixel)
  }

  private static func boundedSize(_ value: Double) -> Double {
    guard value.isFinite else { return 1 }
    return min(max(1, value), maximumPixels)
  }
}
