// What a view said, as tests see it.

public import Foundation

/// Something that a view shows, with what a person can do to it.
@_spi(Host) @MainActor public struct ViewNode {
  /// What a node is.
  public enum Kind: String, Sendable {
    /// Holds others and adds what a modifier says.
    case modified
    /// Words.
    case text
    /// A picture.
    case image
    /// Something to tap.
    case button
    /// A way to another screen.
    case link
    /// Others in a row, a column or on top of each other.
    case stack
    /// A list, a form or what scrolls.
    case list
    /// A row of a list.
    case row
    /// A part of a list.
    case section
    /// A text field.
    case field
    /// A switch.
    case toggle
    /// A choice among several.
    case picker
    /// A choice's option.
    case option
    /// Plus and minus.
    case stepper
    /// That something takes time.
    case progress
    /// Room that is left between others.
    case spacer
    /// A drawing.
    case canvas
    /// A shape or a colour.
    case shape
    /// Screens on top of each other.
    case navigation
    /// Screens beside each other.
    case tabs
    /// The control that selects a tab.
    case tab
    /// The bar of a screen.
    case toolbar
    /// A screen on top of others.
    case sheet
    /// A question or a message on top of all.
    case alert
  }

  /// What a modifier, or a container, says of a node.
  public enum Attribute: Hashable, Sendable {
    /// The name that a screen reader says.
    case accessibilityLabel
    /// The value that a screen reader says.
    case accessibilityValue
    /// What a screen reader adds.
    case accessibilityHint
    /// The name for tests.
    case accessibilityIdentifier
    /// Not for screen readers.
    case accessibilityHidden
    /// Whether parts are combined or replaced.
    case accessibilityElement
    /// What a screen reader calls it.
    case accessibilityTraits
    /// A screen's title.
    case navigationTitle
    /// The colour or style of words and pictures.
    case foregroundStyle
    /// The colour or style behind.
    case background
    /// The colour or style on top.
    case overlay
    /// How much can be seen through: "0.5".
    case opacity
    /// Whether the words are a placeholder's.
    case redacted
    /// The font.
    case font
    /// The font's weight.
    case fontWeight
    /// Whether all digits are as wide.
    case monospacedDigit
    /// How many lines at most.
    case lineLimit
    /// How small the words may get.
    case minimumScaleFactor
    /// Which size, from a frame.
    case frame
    /// The limits of a flexible frame: least and most width, least and most height.
    case frameLimits
    /// Space around: the sides as the bits of Edge.Set, and the length or "default".
    case padding
    /// How a container places its parts: "row", "column", "depth", "grid", …
    case layout
    /// The space between a container's parts.
    case spacing
    /// How parts stand across a stack, or a view in its frame.
    case alignment
    /// That a part lies "behind" or "on top" of the view that it belongs to.
    case layer
    /// How its changes move.
    case animation
    /// Where a bar's item stands.
    case placement
    /// Something that only says that it was said: name and argument.
    case other(String)
  }

  /// What it is.
  public var kind: Kind
  /// Its own words.
  public var text = ""
  /// What it holds.
  public var children: [ViewNode] = []
  /// What was said of it.
  public var attributes: [Attribute: String] = [:]
  /// Whether a person can use it.
  public var isEnabled = true
  /// The value of a switch, or whether an option or a tab is the chosen one.
  public var isOn: Bool?
  /// The steps of a drawing, with everything that was said of each.
  public var painting: [PaintStep] = []
  /// The commands of a drawing.
  public var drawing: [DrawCommand] { painting.map(\.command) }
  /// Its size, where it is told one.
  public var size: CGSize?

  var tag: AnyHashable?
  var actions = NodeActions()

  init(_ kind: Kind, text: String = "", children: [ViewNode] = []) {
    self.kind = kind
    self.text = text
    self.children = children
  }

  /// Whether a person can go back from here.
  public var canGoBack: Bool { actions.back != nil }
  /// Whether its value can be stepped up.
  public var canIncrement: Bool { actions.increment != nil }
  /// Whether its value can be stepped down.
  public var canDecrement: Bool { actions.decrement != nil }

  /// This node and all below, in order.
  public var all: [ViewNode] { [self] + children.flatMap(\.all) }

  /// All words in order, those of pictures included by their names for screen readers only.
  public var texts: [String] {
    all.filter { $0.kind == .text || $0.kind == .field }.map(\.text).filter { !$0.isEmpty }
  }

  /// What a screen reader says of it: the name given, or its words and those of its parts.
  public var label: String {
    if let given = attributes[.accessibilityLabel] { return given }
    if attributes[.accessibilityHidden] == "true" { return "" }
    let own = kind == .text || kind == .field ? text : ""
    return ([own] + children.map(\.label)).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// What can be done to a node.
@MainActor struct NodeActions {
  var tap: (() -> Void)?
  var type: ((String) -> Void)?
  var submit: (() -> Void)?
  var choose: ((AnyHashable) -> Void)?
  var increment: (() -> Void)?
  var decrement: (() -> Void)?
  var back: (() -> Void)?
  var dismiss: (() -> Void)?
  var search: ((String) -> Void)?
  var refresh: (@Sendable () async -> Void)?
  var gestures: [GestureReceiver] = []
}
