// Where things stand: recorded, never computed, since nothing is laid out here.

public import Foundation

/// Where things stand from side to side.
public struct HorizontalAlignment: Equatable, Sendable {
  let name: String

  /// Where lines begin.
  public static let leading = HorizontalAlignment(name: "leading")
  /// In the middle.
  public static let center = HorizontalAlignment(name: "center")
  /// Where lines end.
  public static let trailing = HorizontalAlignment(name: "trailing")
}

/// Where things stand from top to bottom.
public struct VerticalAlignment: Equatable, Sendable {
  let name: String

  /// At the top.
  public static let top = VerticalAlignment(name: "top")
  /// In the middle.
  public static let center = VerticalAlignment(name: "center")
  /// At the bottom.
  public static let bottom = VerticalAlignment(name: "bottom")
  /// On the first line of words.
  public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
  /// On the last line of words.
  public static let lastTextBaseline = VerticalAlignment(name: "lastTextBaseline")
}

/// Where things stand in both directions.
public struct Alignment: Equatable, Sendable {
  /// From side to side.
  public var horizontal: HorizontalAlignment
  /// From top to bottom.
  public var vertical: VerticalAlignment

  var name: String { "\(horizontal.name) \(vertical.name)" }

  /// Puts both together.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// In the middle.
  public static let center = Alignment(horizontal: .center, vertical: .center)
  /// At the start.
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  /// At the end.
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  /// At the top.
  public static let top = Alignment(horizontal: .center, vertical: .top)
  /// At the bottom.
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  /// At the top of the start.
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  /// At the top of the end.
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  /// At the bottom of the start.
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  /// At the bottom of the end.
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
}

/// How lines of words stand.
public enum TextAlignment: Hashable, CaseIterable, Sendable {
  /// Where lines begin.
  case leading
  /// In the middle.
  case center
  /// Where lines end.
  case trailing
}

/// A direction.
public enum Axis: Int8, CaseIterable, Sendable {
  /// From side to side.
  case horizontal
  /// From top to bottom.
  case vertical

  /// Several directions.
  public struct Set: OptionSet, Sendable {
    /// The directions as bits.
    public let rawValue: Int8

    /// Makes directions from bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// From side to side.
    public static let horizontal = Axis.Set(rawValue: 1)
    /// From top to bottom.
    public static let vertical = Axis.Set(rawValue: 2)
  }
}

/// A side.
public enum Edge: Int8, CaseIterable, Sendable {
  /// Above.
  case top
  /// Where lines begin.
  case leading
  /// Below.
  case bottom
  /// Where lines end.
  case trailing

  /// Several sides.
  public struct Set: OptionSet, Sendable {
    /// The sides as bits.
    public let rawValue: Int8

    /// Makes sides from bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Above.
    public static let top = Edge.Set(rawValue: 1)
    /// Where lines begin.
    public static let leading = Edge.Set(rawValue: 2)
    /// Below.
    public static let bottom = Edge.Set(rawValue: 4)
    /// Where lines end.
    public static let trailing = Edge.Set(rawValue: 8)
    /// All four.
    public static let all = Edge.Set(rawValue: 15)
    /// Both sides of lines.
    public static let horizontal = Edge.Set(rawValue: 10)
    /// Above and below.
    public static let vertical = Edge.Set(rawValue: 5)
  }
}

/// A side above or below.
public enum VerticalEdge: Int8, CaseIterable, Sendable {
  /// Above.
  case top
  /// Below.
  case bottom
}

/// Space on each side.
public struct EdgeInsets: Equatable, Sendable {
  /// Above.
  public var top: CGFloat
  /// Where lines begin.
  public var leading: CGFloat
  /// Below.
  public var bottom: CGFloat
  /// Where lines end.
  public var trailing: CGFloat

  /// Puts the four together.
  public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }

  /// No space.
  public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }
}

/// A point within a unit square.
public struct UnitPoint: Hashable, Sendable {
  /// From side to side, 0 to 1.
  public var x: CGFloat
  /// From top to bottom, 0 to 1.
  public var y: CGFloat

  /// Puts both together.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }

  /// The middle.
  public static let center = UnitPoint(x: 0.5, y: 0.5)
  /// The start.
  public static let leading = UnitPoint(x: 0, y: 0.5)
  /// The end.
  public static let trailing = UnitPoint(x: 1, y: 0.5)
  /// The top.
  public static let top = UnitPoint(x: 0.5, y: 0)
  /// The bottom.
  public static let bottom = UnitPoint(x: 0.5, y: 1)
}
