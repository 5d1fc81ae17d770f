// What flows down the tree of views.

import Combine
public import Foundation

/// A key for a value of the environment.
public protocol EnvironmentKey {
  /// What the value is.
  associatedtype Value
  /// The value where nobody sets one.
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

/// Whether a scene is in front of the person.
public enum ScenePhase: Comparable, Hashable, Sendable {
  /// Not visible.
  case background
  /// Visible, but not in front.
  case inactive
  /// In front.
  case active
}

/// Light or dark.
public enum ColorScheme: CaseIterable, Hashable, Sendable {
  /// Dark on light.
  case light
  /// Light on dark.
  case dark
}

/// How much room there is in one direction.
public enum UserInterfaceSizeClass: Hashable, Sendable {
  /// Little.
  case compact
  /// Much.
  case regular
}

/// How large a person wants words.
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
  /// Very small.
  case xSmall
  /// Small.
  case small
  /// Smaller than usual.
  case medium
  /// The usual size.
  case large
  /// Larger than usual.
  case xLarge
  /// Very large.
  case xxLarge
  /// The largest of the ordinary sizes.
  case xxxLarge
  /// The smallest of the sizes for accessibility.
  case accessibility1
  /// The second.
  case accessibility2
  /// The third.
  case accessibility3
  /// The fourth.
  case accessibility4
  /// The largest.
  case accessibility5

  /// Whether it is one of the sizes for accessibility.
  public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

/// Why words are hidden behind a placeholder.
public struct RedactionReasons: OptionSet, Sendable {
  /// The reasons as bits.
  public let rawValue: Int

  /// Makes reasons from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The content is not there yet.
  public static let placeholder = RedactionReasons(rawValue: 1)
  /// The content is private.
  public static let privacy = RedactionReasons(rawValue: 2)
}

/// Opens an address.
public struct OpenURLAction {
  let open: (URL) -> Void

  init(open: @escaping (URL) -> Void) { self.open = open }

  /// Opens an address.
  @MainActor @preconcurrency public func callAsFunction(_ url: URL) { open(url) }
}

/// Takes a presented screen away.
@MainActor @preconcurrency public struct DismissAction {
  let dismiss: @MainActor () -> Void

  nonisolated init(dismiss: @escaping @MainActor () -> Void) { self.dismiss = dismiss }

  /// Takes it away.
  @MainActor @preconcurrency public func callAsFunction() { dismiss() }
}

extension EnvironmentValues {
  private func named<Value>(_ name: String, _ missing: Value) -> Value {
    self[NamedKey.self][name] as? Value ?? missing
  }

  private struct NamedKey: EnvironmentKey {
    static var defaultValue: [String: Any] { [:] }
  }

  /// Whether the scene is in front of the person.
  public var scenePhase: ScenePhase {
    get { named(#function, .active) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Light or dark.
  public var colorScheme: ColorScheme {
    get { named(#function, .light) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Room from side to side.
  public var horizontalSizeClass: UserInterfaceSizeClass? {
    get { named(#function, .some(.compact)) }
    set { self[NamedKey.self][#function] = newValue as Any }
  }

  /// Room from top to bottom.
  public var verticalSizeClass: UserInterfaceSizeClass? {
    get { named(#function, .some(.regular)) }
    set { self[NamedKey.self][#function] = newValue as Any }
  }

  /// How large the person wants words.
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

  /// Whether controls can be used.
  public var isEnabled: Bool {
    get { named(#function, true) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Why words are hidden.
  public var redactionReasons: RedactionReasons {
    get { named(#function, []) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Opens addresses.
  public var openURL: OpenURLAction {
    get { named(#function, OpenURLAction { _ in }) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Takes the presented screen away.
  public internal(set) var dismiss: DismissAction {
    get { named(#function, DismissAction {}) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Whether the person wants less movement.
  public var accessibilityReduceMotion: Bool { hostReduceMotion }

  /// Whether the person wants more than colour to tell things apart.
  public var accessibilityDifferentiateWithoutColor: Bool { hostDifferentiateWithoutColor }

  /// Lets tests set what people set in the system's settings.
  @_spi(Host) public var hostReduceMotion: Bool {
    get { named(#function, false) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// Lets tests set what people set in the system's settings.
  @_spi(Host) public var hostDifferentiateWithoutColor: Bool {
    get { named(#function, false) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// What was said of words above: font, colour and the like.
  var inherited: [ViewNode.Attribute: String] {
    get { named(#function, [:]) }
    set { self[NamedKey.self][#function] = newValue }
  }

  /// What a submit does.
  var submit: (() -> Void)? {
    get { named(#function, nil) }
    set { self[NamedKey.self][#function] = newValue as Any }
  }
}
