import Combine
public import Foundation

/// A key of an environment value.
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// The values that a view inherits.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  private var objects: [ObjectIdentifier: AnyObject] = [:]

  /// All values at their defaults.
  public init() {}

  /// The value of a key.
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  func object<Object: ObservableObject>(of type: Object.Type) -> Object? {
    objects[ObjectIdentifier(type)] as? Object
  }

  mutating func setObject<Object: ObservableObject>(_ object: Object) {
    objects[ObjectIdentifier(Object.self)] = object
  }
}

/// A scene's phase.
public enum ScenePhase: Comparable, Hashable, Sendable {
  case background
  case inactive
  case active
}

/// The colour scheme.
public enum ColorScheme: CaseIterable, Hashable, Sendable {
  case light
  case dark
}

/// The direction of reading.
public enum LayoutDirection: CaseIterable, Hashable, Sendable {
  case leftToRight
  case rightToLeft
}

/// A size class of one dimension.
public enum UserInterfaceSizeClass: Hashable, Sendable {
  case compact
  case regular
}

/// The user's text size.
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
  case xSmall
  case small
  case medium
  case large
  case xLarge
  case xxLarge
  case xxxLarge
  case accessibility1
  case accessibility2
  case accessibility3
  case accessibility4
  case accessibility5

  /// Whether it is an accessibility size.
  public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

/// Reasons to redact text.
public struct RedactionReasons: OptionSet, Sendable {
  /// The raw bits.
  public let rawValue: Int

  /// Creates reasons from raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The content is not there yet.
  public static let placeholder = RedactionReasons(rawValue: 1)
  /// The content is private.
  public static let privacy = RedactionReasons(rawValue: 2)
}

/// Opens a URL.
public struct OpenURLAction {
  let open: (URL) -> Void

  init(open: @escaping (URL) -> Void) { self.open = open }

  /// Opens a URL.
  @MainActor @preconcurrency public func callAsFunction(_ url: URL) { open(url) }
}

/// Dismisses a presented screen.
@MainActor @preconcurrency public struct DismissAction {
  let dismiss: @MainActor () -> Void

  nonisolated init(dismiss: @escaping @MainActor () -> Void) { self.dismiss = dismiss }

  /// Dismisses the screen.
  @MainActor @preconcurrency public func callAsFunction() { dismiss() }
}

extension EnvironmentValues {
  private func named<Value>(_ name: String, _ missing: Value) -> Value {
    self[NamedKey.self][name] as? Value ?? missing
  }

  private struct NamedKey: EnvironmentKey {
    static var defaultValue: [String: Any] { [:] }
  }

  /// The scene's phase.
  public var scenePhase: ScenePhase {
    get { named(#function, .active) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// The colour scheme.
  public var colorScheme: ColorScheme {
    get { named(#function, .light) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// The direction of reading.
  public var layoutDirection: LayoutDirection {
    get { named(#function, .leftToRight) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// The horizontal size class.
  public var horizontalSizeClass: UserInterfaceSizeClass? {
    get { named(#function, .some(.compact)) }
    set { self[NamedKey.self][#function] = newValue as Any }
  }

  /// The vertical size class.
  public var verticalSizeClass: UserInterfaceSizeClass? {
    get { named(#function, .some(.regular)) }
    set { self[NamedKey.self][#function] = newValue as Any }
  }

  /// The user's text size.
  public var dynamicTypeSize: DynamicTypeSize {
    get { named(#function, .large) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Language and region.
  public var locale: Locale {
    get { named(#function, .current) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// The calendar.
  public var calendar: Calendar {
    get { named(#function, .current) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// The time zone.
  public var timeZone: TimeZone {
    get { named(#function, .current) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Whether controls are enabled.
  public var isEnabled: Bool {
    get { named(#function, true) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// The reasons to redact text.
  public var redactionReasons: RedactionReasons {
    get { named(#function, []) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Opens URLs.
  public var openURL: OpenURLAction {
    get { named(#function, OpenURLAction { _ in }) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Dismisses the presented screen.
  public internal(set) var dismiss: DismissAction {
    get { named(#function, DismissAction {}) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Whether the user prefers reduced motion.
  public var accessibilityReduceMotion: Bool { hostReduceMotion }

  /// Whether the user needs more than colour to distinguish states.
  public var accessibilityDifferentiateWithoutColor: Bool { hostDifferentiateWithoutColor }

  /// A test's value of the system setting.
  @_spi(Host) public var hostReduceMotion: Bool {
    get { named(#function, false) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// A test's value of the system setting.
  @_spi(Host) public var hostDifferentiateWithoutColor: Bool {
    get { named(#function, false) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Inherited text attributes: font, colour and others.
  var inherited: [ViewNode.Attribute: String] {
    get { named(#function, [:]) }
    set { self[NamedKey.self][#function] = newValue }
  }

  var submit: (() -> Void)? {
    get { named(#function, nil) }
    set { self[NamedKey.self][#function] = newValue as Any }
  }
}
