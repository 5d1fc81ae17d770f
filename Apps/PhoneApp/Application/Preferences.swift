// What the person has set: remembered by the system, or by a test.

public import Foundation

/// Light, dark, or as the system has it (PT7).
public enum Theme: String, CaseIterable, Hashable, Sendable {
  /// As the system has it.
  case system
  /// Dark on light.
  case light
  /// Light on dark.
  case dark
}

/// What is remembered between two launches.
@MainActor public protocol Preferences {
  /// The theme; as the system has it before anything was set.
  var theme: Theme { get set }
  /// Whether an order is reviewed before it is placed; yes before anything was set.
  var reviewsOrders: Bool { get set }
}

/// Preferences in the system's own store.
@MainActor public struct StoredPreferences: Preferences {
  private static let themeKey = "theme"
  private static let reviewKey = "ordersWithoutReview"
  private let store: UserDefaults

  /// Uses a store, usually the app's.
  public init(_ store: UserDefaults = .standard) { self.store = store }

  /// The theme; an unknown value reads as the system's.
  public var theme: Theme {
    get { store.string(forKey: Self.themeKey).flatMap(Theme.init) ?? .system }
    set { store.set(newValue.rawValue, forKey: Self.themeKey) }
  }

  /// Whether an order is reviewed before it is placed.
  public var reviewsOrders: Bool {
    get { !store.bool(forKey: Self.reviewKey) }
    set { store.set(!newValue, forKey: Self.reviewKey) }
  }
}
