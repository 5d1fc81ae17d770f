// How controls look: recorded only.

/// How a button looks.
public protocol PrimitiveButtonStyle {}
/// A button with a border.
public struct BorderedButtonStyle: PrimitiveButtonStyle {
  /// Makes it.
  public init() {}
}
/// A button that stands out.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
  /// Makes it.
  public init() {}
}
/// A button without a border.
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
  /// Makes it.
  public init() {}
}
/// A button that looks like its label.
public struct PlainButtonStyle: PrimitiveButtonStyle {
  /// Makes it.
  public init() {}
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  /// A button with a border.
  public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  /// A button that stands out.
  public static var borderedProminent: BorderedProminentButtonStyle {
    BorderedProminentButtonStyle()
  }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  /// A button without a border.
  public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  /// A button that looks like its label.
  public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

/// How a picker looks.
public protocol PickerStyle {}
/// All options beside each other.
public struct SegmentedPickerStyle: PickerStyle {
  /// Makes it.
  public init() {}
}
/// Options in a menu.
public struct MenuPickerStyle: PickerStyle {
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
public protocol ListStyle {}
/// Rows from edge to edge.
public struct PlainListStyle: ListStyle {
  /// Makes it.
  public init() {}
}
/// Rows in rounded groups.
public struct InsetGroupedListStyle: ListStyle {
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
public protocol TextFieldStyle {}
/// A field with a rounded border.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
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
    said(.other("buttonStyle"), "\(S.self)")
  }
  /// How pickers look.
  public func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
    said(.other("pickerStyle"), "\(S.self)")
  }
  /// How lists look.
  public func listStyle<S: ListStyle>(_ style: S) -> some View {
    said(.other("listStyle"), "\(S.self)")
  }
  /// How fields look.
  public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
    said(.other("textFieldStyle"), "\(S.self)")
  }
  /// How large controls are.
  public func controlSize(_ controlSize: ControlSize) -> some View {
    said(.other("controlSize"), "\(controlSize)")
  }
  /// Hides the labels of controls; screen readers still say them.
  public func labelsHidden() -> some View { said(.other("labelsHidden"), "true") }
}
