// How controls look: recorded only.

// Apps may write button styles of their own at Apple's; here styles can only be chosen, so each
// protocol asks for something that nobody else has.

/// How a button looks.
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
  /// What is recorded of it.
  static var _name: String { get }
}
/// A button with a border.
@MainActor @preconcurrency public struct BorderedButtonStyle: PrimitiveButtonStyle {
  /// Its name.
  public static var _name: String { "BorderedButtonStyle" }
  /// Makes it.
  public init() {}
}
/// A button that stands out.
@MainActor @preconcurrency public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
  /// Its name.
  public static var _name: String { "BorderedProminentButtonStyle" }
  /// Makes it.
  public init() {}
}
/// A button without a border.
@MainActor @preconcurrency public struct BorderlessButtonStyle: PrimitiveButtonStyle {
  /// Its name.
  public static var _name: String { "BorderlessButtonStyle" }
  /// Makes it.
  public init() {}
}
/// A button that looks like its label.
@MainActor @preconcurrency public struct PlainButtonStyle: PrimitiveButtonStyle {
  /// Its name.
  public static var _name: String { "PlainButtonStyle" }
  /// Makes it.
  public init() {}
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  /// A button with a border.
  @MainActor @preconcurrency public static var bordered: BorderedButtonStyle {
    BorderedButtonStyle()
  }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  /// A button that stands out.
  @MainActor @preconcurrency public static var borderedProminent: BorderedProminentButtonStyle {
    BorderedProminentButtonStyle()
  }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  /// A button without a border.
  @MainActor @preconcurrency public static var borderless: BorderlessButtonStyle {
    BorderlessButtonStyle()
  }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  /// A button that looks like its label.
  @MainActor @preconcurrency public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

/// How a picker looks.
public protocol PickerStyle {
  /// What is recorded of it.
  static var _name: String { get }
}
/// All options beside each other.
public struct SegmentedPickerStyle: PickerStyle {
  /// Its name.
  public static var _name: String { "SegmentedPickerStyle" }
  /// Makes it.
  public init() {}
}
/// Options in a menu.
public struct MenuPickerStyle: PickerStyle {
  /// Its name.
  public static var _name: String { "MenuPickerStyle" }
  /// Makes it.
  public init() {}
}
extension PickerStyle where Self == SegmentedPickerStyle {
  /// All options beside each other.
  public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}
extension PickerStyle where Self == MenuPickerStyle {
  /// Options in a menu.
  public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

/// How a list looks.
public protocol ListStyle {
  /// What is recorded of it.
  static var _name: String { get }
}
/// Rows from edge to edge.
public struct PlainListStyle: ListStyle {
  /// Its name.
  public static var _name: String { "PlainListStyle" }
  /// Makes it.
  public init() {}
}
/// Rows in rounded groups.
public struct InsetGroupedListStyle: ListStyle {
  /// Its name.
  public static var _name: String { "InsetGroupedListStyle" }
  /// Makes it.
  public init() {}
}
extension ListStyle where Self == PlainListStyle {
  /// Rows from edge to edge.
  public static var plain: PlainListStyle { PlainListStyle() }
}
extension ListStyle where Self == InsetGroupedListStyle {
  /// Rows in rounded groups.
  public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}

/// How a field looks.
public protocol TextFieldStyle {
  /// What is recorded of it.
  static var _name: String { get }
}
/// A field with a rounded border.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
  /// Its name.
  public static var _name: String { "RoundedBorderTextFieldStyle" }
  /// Makes it.
  public init() {}
}
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
  /// A field with a rounded border.
  public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

/// How large controls are.
public enum ControlSize: CaseIterable, Hashable, Sendable {
  /// Very small.
  case mini
  /// Small.
  case small
  /// The usual size.
  case regular
  /// Large.
  case large
}

extension View {
  /// How buttons look.
  public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
    said(.other("buttonStyle"), S._name)
  }
  /// How pickers look.
  public func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
    said(.other("pickerStyle"), S._name)
  }
  /// How lists look.
  public func listStyle<S: ListStyle>(_ style: S) -> some View {
    said(.other("listStyle"), S._name)
  }
  /// How fields look.
  public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
    said(.other("textFieldStyle"), S._name)
  }
  /// How large controls are.
  public func controlSize(_ controlSize: ControlSize) -> some View {
    said(.other("controlSize"), "\(controlSize)")
  }
  /// Hides the labels of controls; screen readers still say them.
  public func labelsHidden() -> some View { said(.other("labelsHidden"), "true") }
}

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension BorderedButtonStyle: Sendable {}
@available(*, unavailable) extension BorderedProminentButtonStyle: Sendable {}
@available(*, unavailable) extension BorderlessButtonStyle: Sendable {}
@available(*, unavailable) extension PlainButtonStyle: Sendable {}
