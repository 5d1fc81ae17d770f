public import Foundation

/// A visible part of a view, with the actions that a user can perform on it.
@_spi(Host) @MainActor public struct ViewNode {
  /// A node's kind.
  public enum Kind: String, Sendable {
    /// Contains other nodes and adds a modifier's attributes.
    case modified
    case text
    case image
    case button
    case link
    /// Nodes in a row, a column or in depth.
    case stack
    /// A list, a form or a scroll view.
    case list
    case row
    case section
    case field
    case toggle
    case picker
    case option
    case stepper
    case progress
    case spacer
    case canvas
    case shape
    case navigation
    case tabs
    case tab
    case toolbar
    case sheet
    case alert
  }

  /// An attribute that a modifier or a container sets.
  public enum Attribute: Hashable, Sendable {
    case accessibilityLabel
    case accessibilityValue
    case accessibilityHint
    case accessibilityIdentifier
    case accessibilityHidden
    case accessibilityElement
    case accessibilityTraits
    case navigationTitle
    case foregroundStyle
    case background
    case overlay
    /// The opacity: "0.5".
    case opacity
    case redacted
    case font
    case fontWeight
    case monospacedDigit
    case lineLimit
    case minimumScaleFactor
    case frame
    /// A flexible frame's limits: minimum and maximum width, minimum and maximum height.
    case frameLimits
    /// Padding: the edges as the bits of Edge.Set, and the length or "default".
    case padding
    /// How a container lays out its parts, for instance "row", "column", "depth" or "grid".
    case layout
    case spacing
    /// The alignment of parts across a stack, or of a view in its frame.
    case alignment
    /// Whether a part is "behind" or "on top" of its view.
    case layer
    case placement
    /// A modifier that is recorded only: name and argument.
    case other(String)
  }

  /// The kind.
  public var kind: Kind
  /// The node's own text.
  public var text = ""
  /// The child nodes.
  public var children: [ViewNode] = []
  /// The attributes.
  public var attributes: [Attribute: String] = [:]
  /// Whether a user can use it.
  public var isEnabled = true
  /// The value of a switch, or whether an option or a tab is selected.
  public var isOn: Bool?
  /// The steps of a drawing, with everything that was set for each.
  public var painting: [PaintStep] = []
  /// The commands of a drawing.
  public var drawing: [DrawCommand] { painting.map(\.command) }
  /// The chart that screen readers present; nil for no chart.
  public var chart: AXChartDescriptor?
  /// The size, where one is set.
  public var size: CGSize?

  var tag: AnyHashable?
  var actions = NodeActions()

  init(_ kind: Kind, text: String = "", children: [ViewNode] = []) {
    self.kind = kind
    self.text = text
    self.children = children
  }

  /// Whether the user can go back from here.
  public var canGoBack: Bool { actions.back != nil }
  /// Whether the value can be incremented.
  public var canIncrement: Bool { actions.increment != nil }
  /// Whether the value can be decremented.
  public var canDecrement: Bool { actions.decrement != nil }

  /// This node and all below, in order.
  public var all: [ViewNode] { [self] + children.flatMap(\.all) }

  /// All texts in order, including those of images that only screen readers read.
  public var texts: [String] {
    all.filter { $0.kind == .text || $0.kind == .field }.map(\.text).filter { !$0.isEmpty }
  }

  /// The screen reader's text: the given label, or the texts of the node and its parts.
  public var label: String {
    if let given = attributes[.accessibilityLabel] { return given }
    if attributes[.accessibilityHidden] == "true" { return "" }
    let own = kind == .text || kind == .field ? text : ""
    return ([own] + children.map(\.label)).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

@MainActor struct NodeActions {
  var tap: (() -> Void)?
  var type: ((String) -> Void)?
  var submit: (() -> Void)?
  var focus: (() -> Void)?
  var choose: ((AnyHashable) -> Void)?
  var increment: (() -> Void)?
  var decrement: (() -> Void)?
  var back: (() -> Void)?
  var dismiss: (() -> Void)?
  var search: ((String) -> Void)?
  var refresh: (@Sendable () async -> Void)?
  var gestures: [GestureReceiver] = []
  var hover: ((HoverPhase) -> Void)?
  /// What a swipe over a row reveals.
  var swipes: [ViewNode] = []
}
