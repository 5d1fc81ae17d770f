// Styles are only recorded, not drawn. At Apple's, apps may write their own button styles; here
// they can only be chosen, so each protocol has a requirement that no app can meet.

/// A button style.
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
  /// The recorded name.
  static var _name: String { get }
}
/// A button with a border.
@MainActor @preconcurrency public struct BorderedButtonStyle: PrimitiveButtonStyle {
  /// The recorded name.
  public static var _name: String { "BorderedButtonStyle" }
  /// Creates an instance.
  public init() {}
}
/// A prominent button.
@MainActor @preconcurrency public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
  /// The recorded name.
  public static var _name: String { "BorderedProminentButtonStyle" }
  /// Creates an instance.
  public init() {}
}
/// A button without a border.
@MainActor @preconcurrency public struct BorderlessButtonStyle: PrimitiveButtonStyle {
  /// The recorded name.
  public static var _name: String { "BorderlessButtonStyle" }
  /// Creates an instance.
  public init() {}
}
/// A button that looks like its label.
@MainActor @preconcurrency public struct PlainButtonStyle: PrimitiveButtonStyle {
  /// The recorded name.
  public static var _name: String { "PlainButtonStyle" }
  /// Creates an instance.
  public init() {}
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  /// A button with a border.
  @MainActor @preconcurrency public static var bordered: BorderedButtonStyle {
    BorderedButtonStyle()
  }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  /// A prominent button.
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

/// A picker style.
public protocol PickerStyle {
  static var _name: String { get }
}
/// All options side by side.
public struct SegmentedPickerStyle: PickerStyle {
  /// The recorded name.
  public static var _name: String { "SegmentedPickerStyle" }
  /// Creates an instance.
  public init() {}
}
/// Options in a menu.
public struct MenuPickerStyle: PickerStyle {
  /// The recorded name.
  public static var _name: String { "MenuPickerStyle" }
  /// Creates an instance.
  public init() {}
}
extension PickerStyle where Self == SegmentedPickerStyle {
  /// All options side by side.
  public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}
extension PickerStyle where Self == MenuPickerStyle {
  /// Options in a menu.
  public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

/// A list style.
public protocol ListStyle {
  static var _name: String { get }
}
/// Rows from edge to edge.
public struct PlainListStyle: ListStyle {
  /// The recorded name.
  public static var _name: String { "PlainListStyle" }
  /// Creates an instance.
  public init() {}
}
/// Rows in rounded groups.
public struct InsetGroupedListStyle: ListStyle {
  /// The recorded name.
  public static var _name: String { "InsetGroupedListStyle" }
  /// Creates an instance.
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

/// A text field style.
public protocol TextFieldStyle {
  static var _name: String { get }
}
/// A field with a rounded border.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
  /// The recorded name.
  public static var _name: String { "RoundedBorderTextFieldStyle" }
  /// Creates an instance.
  public init() {}
}
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
  /// A field with a rounded border.
  public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

/// The size of controls.
public enum ControlSize: CaseIterable, Hashable, Sendable {
  case mini
  case small
  case regular
  case large
}

extension View {
  /// Sets the button style.
  public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
    said(.other("buttonStyle"), S._name)
  }
  /// Sets the picker style.
  public func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
    said(.other("pickerStyle"), S._name)
  }
  /// Sets the list style.
  public func listStyle<S: ListStyle>(_ style: S) -> some View {
    said(.other("listStyle"), S._name)
  }
  /// Sets the text field style.
  public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
    said(.other("textFieldStyle"), S._name)
  }
  /// The size of controls.
  public func controlSize(_ controlSize: ControlSize) -> some View {
    said(.other("controlSize"), "\(controlSize)")
  }
  /// Hides the labels of controls, except from screen readers.
  public func labelsHidden() -> some View { said(.other("labelsHidden"), "true") }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension BorderedButtonStyle: Sendable {}
@available(*, unavailable) extension BorderedProminentButtonStyle: Sendable {}
@available(*, unavailable) extension BorderlessButtonStyle: Sendable {}
@available(*, unavailable) extension PlainButtonStyle: Sendable {}
