public import Foundation

/// A horizontal alignment: recorded only, since nothing is laid out here.
public struct HorizontalAlignment: Equatable, Sendable {
  let name: String

  /// The leading edge.
  public static let leading = HorizontalAlignment(name: "leading")
  /// Centred.
  public static let center = HorizontalAlignment(name: "center")
  /// The trailing edge.
  public static let trailing = HorizontalAlignment(name: "trailing")
}

/// A vertical alignment.
public struct VerticalAlignment: Equatable, Sendable {
  let name: String

  /// Top.
  public static let top = VerticalAlignment(name: "top")
  /// Centred.
  public static let center = VerticalAlignment(name: "center")
  /// Bottom.
  public static let bottom = VerticalAlignment(name: "bottom")
  /// The first baseline.
  public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
  /// The last baseline.
  public static let lastTextBaseline = VerticalAlignment(name: "lastTextBaseline")
}

/// A two-dimensional alignment.
public struct Alignment: Equatable, Sendable {
  /// Horizontal.
  public var horizontal: HorizontalAlignment
  /// Vertical.
  public var vertical: VerticalAlignment

  var name: String { "\(horizontal.name) \(vertical.name)" }

  /// Combines both.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// Centred.
  public static let center = Alignment(horizontal: .center, vertical: .center)
  /// Leading.
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  /// Trailing.
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  /// Top.
  public static let top = Alignment(horizontal: .center, vertical: .top)
  /// Bottom.
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  /// Top leading.
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  /// Top trailing.
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  /// Bottom leading.
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  /// Bottom trailing.
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
}

/// A text alignment.
public enum TextAlignment: Hashable, CaseIterable, Sendable {
  case leading
  case center
  case trailing
}

/// An axis.
public enum Axis: Int8, CaseIterable, Sendable {
  case horizontal
  case vertical

  /// A set of axes.
  public struct Set: OptionSet, Sendable {
    /// The raw bits.
    public let rawValue: Int8

    /// Creates axes from raw bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Horizontal.
    public static let horizontal = Axis.Set(rawValue: 1)
    /// Vertical.
    public static let vertical = Axis.Set(rawValue: 2)
  }
}

/// An edge.
public enum Edge: Int8, CaseIterable, Sendable {
  case top
  case leading
  case bottom
  case trailing

  /// A set of edges.
  public struct Set: OptionSet, Sendable {
    /// The raw bits.
    public let rawValue: Int8

    /// Creates edges from raw bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// The top edge.
    public static let top = Edge.Set(rawValue: 1)
    /// The leading edge.
    public static let leading = Edge.Set(rawValue: 2)
    /// The bottom edge.
    public static let bottom = Edge.Set(rawValue: 4)
    /// The trailing edge.
    public static let trailing = Edge.Set(rawValue: 8)
    /// All edges.
    public static let all = Edge.Set(rawValue: 15)
    /// The leading and trailing edges.
    public static let horizontal = Edge.Set(rawValue: 10)
    /// The top and bottom edges.
    public static let vertical = Edge.Set(rawValue: 5)
  }
}

/// A vertical edge.
public enum VerticalEdge: Int8, CaseIterable, Sendable {
  case top
  case bottom
}

/// A horizontal edge.
public enum HorizontalEdge: Int8, CaseIterable, Sendable {
  case leading
  case trailing
}

/// Insets of each edge.
public struct EdgeInsets: Equatable, Sendable {
  /// The top edge.
  public var top: CGFloat
  /// The leading edge.
  public var leading: CGFloat
  /// The bottom edge.
  public var bottom: CGFloat
  /// The trailing edge.
  public var trailing: CGFloat

  /// Combines the four.
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
  /// Horizontal, 0 to 1.
  public var x: CGFloat
  /// Vertical, 0 to 1.
  public var y: CGFloat

  /// Combines both.
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
