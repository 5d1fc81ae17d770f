/// A colour or pattern.
public protocol ShapeStyle: Sendable {}

protocol DescribedStyle {
  var description: String { get }
}

func describe(_ style: some ShapeStyle) -> String {
  (style as? any DescribedStyle)?.description ?? "\(style)"
}

/// A colour.
public struct Color: Hashable, Sendable {
  let name: String

  init(named name: String) { self.name = name }

  /// A colour from the asset catalogue.
  public init(_ name: String) { self.name = "asset:" + name }

  /// A colour by its components, each from 0 to 1.
  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    name = "rgb(\(red),\(green),\(blue),\(opacity))"
  }

  /// The colour with an opacity from 0 to 1.
  public func opacity(_ opacity: Double) -> Color { Color(named: "\(name)@\(opacity)") }

  /// Red.
  public static let red = Color(named: "red")
  /// Orange.
  public static let orange = Color(named: "orange")
  /// Yellow.
  public static let yellow = Color(named: "yellow")
  /// Green.
  public static let green = Color(named: "green")
  /// Mint.
  public static let mint = Color(named: "mint")
  /// Teal.
  public static let teal = Color(named: "teal")
  /// Cyan.
  public static let cyan = Color(named: "cyan")
  /// Blue.
  public static let blue = Color(named: "blue")
  /// Indigo.
  public static let indigo = Color(named: "indigo")
  /// Purple.
  public static let purple = Color(named: "purple")
  /// Pink.
  public static let pink = Color(named: "pink")
  /// Brown.
  public static let brown = Color(named: "brown")
  /// White.
  public static let white = Color(named: "white")
  /// Grey.
  public static let gray = Color(named: "gray")
  /// Black.
  public static let black = Color(named: "black")
  /// Transparent.
  public static let clear = Color(named: "clear")
  /// The colour of main content.
  public static let primary = Color(named: "primary")
  /// The colour of less important content.
  public static let secondary = Color(named: "secondary")
  /// The accent colour.
  public static let accentColor = Color(named: "accentColor")
}

extension Color: ShapeStyle, DescribedStyle, CustomStringConvertible {
  /// The recorded name.
  public var description: String { name }
}

extension Color: View, PrimitiveView {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.shape)
    node.attributes[.foregroundStyle] = name
    return [node]
  }
}

extension ShapeStyle where Self == Color {
  /// Red.
  public static var red: Color { Color.red }
  /// Orange.
  public static var orange: Color { Color.orange }
  /// Yellow.
  public static var yellow: Color { Color.yellow }
  /// Green.
  public static var green: Color { Color.green }
  /// Mint.
  public static var mint: Color { Color.mint }
  /// Teal.
  public static var teal: Color { Color.teal }
  /// Cyan.
  public static var cyan: Color { Color.cyan }
  /// Blue.
  public static var blue: Color { Color.blue }
  /// Indigo.
  public static var indigo: Color { Color.indigo }
  /// Purple.
  public static var purple: Color { Color.purple }
  /// Pink.
  public static var pink: Color { Color.pink }
  /// Brown.
  public static var brown: Color { Color.brown }
  /// White.
  public static var white: Color { Color.white }
  /// Grey.
  public static var gray: Color { Color.gray }
  /// Black.
  public static var black: Color { Color.black }
  /// Transparent.
  public static var clear: Color { Color.clear }
}

/// A style by the content's importance.
public struct HierarchicalShapeStyle: ShapeStyle, DescribedStyle {
  let description: String

  /// Primary content.
  public static let primary = HierarchicalShapeStyle(description: "primary")
  /// Secondary content.
  public static let secondary = HierarchicalShapeStyle(description: "secondary")
  /// Tertiary content.
  public static let tertiary = HierarchicalShapeStyle(description: "tertiary")
  /// Quaternary content.
  public static let quaternary = HierarchicalShapeStyle(description: "quaternary")
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  /// Primary content.
  public static var primary: HierarchicalShapeStyle { .primary }
  /// Secondary content.
  public static var secondary: HierarchicalShapeStyle { .secondary }
  /// Tertiary content.
  public static var tertiary: HierarchicalShapeStyle { .tertiary }
  /// Quaternary content.
  public static var quaternary: HierarchicalShapeStyle { .quaternary }
}

/// The accent colour.
public struct TintShapeStyle: ShapeStyle, DescribedStyle {
  var description: String { "tint" }

  /// Creates an instance.
  public init() {}
}

extension ShapeStyle where Self == TintShapeStyle {
  /// The accent colour.
  public static var tint: TintShapeStyle { TintShapeStyle() }
}

/// The system's background.
public struct BackgroundStyle: ShapeStyle, DescribedStyle {
  var description: String { "background" }

  /// Creates an instance.
  public init() {}
}

extension ShapeStyle where Self == BackgroundStyle {
  /// The system's background.
  public static var background: BackgroundStyle { BackgroundStyle() }
}

/// A blurred background.
public struct Material: ShapeStyle, DescribedStyle {
  let description: String

  /// Very translucent.
  public static let ultraThin = Material(description: "ultraThinMaterial")
  /// Translucent.
  public static let thin = Material(description: "thinMaterial")
  /// Regular.
  public static let regular = Material(description: "regularMaterial")
  /// As in bars.
  public static let bar = Material(description: "bar")
}

extension ShapeStyle where Self == Material {
  /// Very translucent.
  public static var ultraThinMaterial: Material { .ultraThin }
  /// Translucent.
  public static var thinMaterial: Material { .thin }
  /// Regular.
  public static var regularMaterial: Material { .regular }
  /// As in bars.
  public static var bar: Material { .bar }
}

/// Any style.
public struct AnyShapeStyle: ShapeStyle, DescribedStyle {
  let description: String

  /// Erases a style's type.
  public init<S: ShapeStyle>(_ style: S) { description = describe(style) }
}
