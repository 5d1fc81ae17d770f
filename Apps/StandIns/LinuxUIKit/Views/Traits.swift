public import Foundation

/// A text size.
public struct UIContentSizeCategory: Hashable, Sendable {
  private let rank: Int

  private init(rank: Int) { self.rank = rank }

  /// The default size.
  public static let large = UIContentSizeCategory(rank: 3)
  /// The largest regular size.
  public static let extraExtraExtraLarge = UIContentSizeCategory(rank: 6)
  /// The smallest accessibility size.
  public static let accessibilityMedium = UIContentSizeCategory(rank: 7)

  /// Whether it is an accessibility size.
  public var isAccessibilityCategory: Bool { rank >= 7 }
}

/// A trait definition.
public protocol UITraitDefinition {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// The text size trait.
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {
  /// The default size.
  public static var defaultValue: UIContentSizeCategory { .large }
}

/// A trait definition as a value.
public typealias UITrait = any UITraitDefinition.Type

/// An object with traits.
@MainActor @preconcurrency public protocol UITraitEnvironment: NSObjectProtocol {
  var traitCollection: UITraitCollection { get }
  /// Called after the traits changed.
  @available(*, deprecated, message: "register for changes of traits")
  func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

extension UIView: UITraitEnvironment {}
extension UIViewController: UITraitEnvironment {}

/// Calls methods that are deprecated for apps.
@MainActor protocol TraitFollower {
  func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

extension UIView: TraitFollower {}
extension UIViewController: TraitFollower {}

/// An Objective-C selector; none can be created on Linux.
public struct Selector {
  let never: Never
}

/// A handler of trait changes.
@MainActor @preconcurrency
public protocol UITraitChangeRegistration: NSObjectProtocol, NSCopying {}

/// A handler with identity: its copy is itself.
final class TraitHandler: NSObject, UITraitChangeRegistration {
  let call: (UITraitCollection) -> Void

  init(_ call: @escaping (UITraitCollection) -> Void) { self.call = call }

  nonisolated func copy(with zone: NSZone?) -> Any { self }
}

/// An object that reports trait changes.
@MainActor @preconcurrency public protocol UITraitChangeObservable {
  typealias TraitChangeHandler<TraitEnvironment> = (
    _ traitEnvironment: TraitEnvironment, _ previousTraitCollection: UITraitCollection
  ) -> Void where TraitEnvironment: UITraitEnvironment

  /// Calls the handler when one of the traits changes.
  @discardableResult func registerForTraitChanges<TraitEnvironment>(
    _ traits: [UITrait], handler: @escaping TraitChangeHandler<TraitEnvironment>
  ) -> any UITraitChangeRegistration where TraitEnvironment: UITraitEnvironment
  /// Calls a method of another object when one of the traits changes.
  @discardableResult func registerForTraitChanges(
    _ traits: [UITrait], target: Any, action: Selector
  ) -> any UITraitChangeRegistration
  /// Calls a method when one of the traits changes.
  @discardableResult func registerForTraitChanges(
    _ traits: [UITrait], action: Selector
  ) -> any UITraitChangeRegistration
  func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration)
}

extension UIView: UITraitChangeObservable {
  /// Calls the handler with this view and the previous traits when a trait changes; traps if the
  /// handler takes another type of view.
  @discardableResult public func registerForTraitChanges<TraitEnvironment>(
    _ traits: [UITrait], handler: @escaping TraitChangeHandler<TraitEnvironment>
  ) -> any UITraitChangeRegistration where TraitEnvironment: UITraitEnvironment {
    let registration = TraitHandler { [weak self] before in
      guard let self else { return }
      guard let environment = self as? TraitEnvironment else {
        preconditionFailure("the handler is for \(TraitEnvironment.self), not \(type(of: self))")
      }
      handler(environment, before)
    }
    traitHandlers.append(registration)
    return registration
  }

  /// Can't be called: no selector can be created.
  @discardableResult public func registerForTraitChanges(
    _ traits: [UITrait], target: Any, action: Selector
  ) -> any UITraitChangeRegistration { switch action.never {} }

  /// Can't be called: no selector can be created.
  @discardableResult public func registerForTraitChanges(
    _ traits: [UITrait], action: Selector
  ) -> any UITraitChangeRegistration { switch action.never {} }

  /// Unregisters a handler.
  public func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {
    traitHandlers.removeAll { $0 === registration }
  }
}

/// Traits for screen readers.
public struct UIAccessibilityTraits: OptionSet, Hashable, Sendable {
  /// The raw bits.
  public let rawValue: UInt64

  /// Creates traits from raw bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Static text.
  public static let staticText = UIAccessibilityTraits(rawValue: 1 << 6)
  /// Changes too often for a screen reader to announce each change.
  public static let updatesFrequently = UIAccessibilityTraits(rawValue: 1 << 9)
}
