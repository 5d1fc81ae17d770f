public import FeedConnections
public import Foundation
public import MarketModel

/// Light, dark, or the system's theme (PT7).
public enum Theme: String, CaseIterable, Hashable, Sendable {
  case system
  case light
  case dark
}

/// Settings that persist between launches.
@MainActor public protocol Preferences {
  /// The theme; `.system` by default.
  var theme: Theme { get set }
  /// Whether an order is reviewed before it is placed; true by default.
  var reviewsOrders: Bool { get set }
  /// Whether an order acts after the venue's measured latency; true by default.
  var measuresLatency: Bool { get set }
  /// The currency of the positions' total; nil for none.
  var totalCurrency: String? { get set }
  /// The chosen markets; nil before the first choice.
  var markets: MarketChoice? { get set }
  /// The favourite markets; at most ``AppModel/maximumFavourites``.
  var favourites: Set<InstrumentKey> { get set }
}

/// Preferences in `UserDefaults`.
@MainActor public struct StoredPreferences: Preferences {
  private static let themeKey = "theme"
  private static let reviewKey = "ordersWithoutReview"
  private static let latencyKey = "ordersWithoutLatency"
  private static let totalKey = "currency"
  private static let favouritesKey = "favourites"
  private let store: UserDefaults

  /// Uses a store, by default the app's.
  public init(_ store: UserDefaults = .standard) { self.store = store }

  /// The theme; an unknown stored value reads as `.system`.
  public var theme: Theme {
    get { store.string(forKey: Self.themeKey).flatMap(Theme.init) ?? .system }
    set { store.set(newValue.rawValue, forKey: Self.themeKey) }
  }

  /// Whether an order is reviewed before it is placed.
  public var reviewsOrders: Bool {
    get { !store.bool(forKey: Self.reviewKey) }
    set { store.set(!newValue, forKey: Self.reviewKey) }
  }

  /// Whether an order acts after the venue's measured latency.
  public var measuresLatency: Bool {
    get { !store.bool(forKey: Self.latencyKey) }
    set { store.set(!newValue, forKey: Self.latencyKey) }
  }

  /// The currency of the positions' total.
  public var totalCurrency: String? {
    get { store.string(forKey: Self.totalKey) }
    set { store.set(newValue, forKey: Self.totalKey) }
  }

  /// The chosen markets; launch arguments such as `-market built-in` take precedence.
  public var markets: MarketChoice? {
    get { MarketChoice(reading: store.string) }
    set { newValue?.store { store.set($1, forKey: $0) } }
  }

  /// The favourite markets; unreadable ones are left out.
  public var favourites: Set<InstrumentKey> {
    get {
      Set(
        (store.stringArray(forKey: Self.favouritesKey) ?? []).compactMap(InstrumentKey.init(text:)))
    }
    set { store.set(newValue.map(\.text).sorted(), forKey: Self.favouritesKey) }
  }
}
