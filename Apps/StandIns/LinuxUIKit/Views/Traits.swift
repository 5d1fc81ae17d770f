// What a view adapts to beside light and dark: the size of words that the person wants.

public import Foundation

/// A size of words.
public struct UIContentSizeCategory: Hashable, Sendable {
  private let rank: Int

  private init(rank: Int) { self.rank = rank }

  /// The usual size.
  public static let large = UIContentSizeCategory(rank: 3)
  /// The largest of the usual sizes.
  public static let extraExtraExtraLarge = UIContentSizeCategory(rank: 6)
  /// The smallest for people who see little.
  public static let accessibilityMedium = UIContentSizeCategory(rank: 7)

  /// Whether it is for people who see little.
  public var isAccessibilityCategory: Bool { rank >= 7 }
}

/// A kind of what looks depend on.
public protocol UITraitDefinition {
  /// What is told of such a kind.
  associatedtype Value
  /// What holds where nobody has said anything.
  static var defaultValue: Value { get }
}

/// The kind that is the size of words.
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {
  /// The usual size.
  public static var defaultValue: UIContentSizeCategory { .large }
}

/// A kind of what looks depend on, as a value.
public typealias UITrait = any UITraitDefinition.Type

/// Has a look that depends on something.
@MainActor @preconcurrency public protocol UITraitEnvironment: NSObjectProtocol {
  /// What its look depends on.
  var traitCollection: UITraitCollection { get }
  /// What its look depends on has changed.
  @available(*, deprecated, message: "register for changes of traits")
  func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

extension UIView: UITraitEnvironment {}
extension UIViewController: UITraitEnvironment {}

/// Lets the stand-in call what apps are warned of.
@MainActor protocol TraitFollower {
  func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

extension UIView: TraitFollower {}
extension UIViewController: TraitFollower {}

/// Names a method of Objective-C; there are none on Linux, so none can be named.
public struct Selector {
  let never: Never
}

/// A handler that is told of changes.
@MainActor @preconcurrency
public protocol UITraitChangeRegistration: NSObjectProtocol, NSCopying {}

/// A handler, known by its identity: its copy is itself.
final class TraitHandler: NSObject, UITraitChangeRegistration {
  let call: (UITraitCollection) -> Void

  init(_ call: @escaping (UITraitCollection) -> Void) { self.call = call }

  nonisolated func copy(with zone: NSZone?) -> Any { self }
}

/// Can tell of changes.
@MainActor @preconcurrency public protocol UITraitChangeObservable {
  /// Is told of a change, with what was before.
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
  /// Calls no longer.
  func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration)
}

extension UIView: UITraitChangeObservable {
  /// Calls the handler with this view and what was before, when one of the traits changes; to ask
  /// for another kind of view is a programmer's error.
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

  /// Can't be called: no selector can be made.
  @discardableResult public func registerForTraitChanges(
    _ traits: [UITrait], target: Any, action: Selector
  ) -> any UITraitChangeRegistration { switch action.never {} }

  /// Can't be called: no selector can be made.
  @discardableResult public func registerForTraitChanges(
    _ traits: [UITrait], action: Selector
  ) -> any UITraitChangeRegistration { switch action.never {} }

  /// Calls a handler no longer.
  public func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {
    traitHandlers.removeAll { $0 === registration }
  }
}

/// How things behave for a screen reader.
public struct UIAccessibilityTraits: OptionSet, Hashable, Sendable {
  /// The behaviours as bits.
  public let rawValue: UInt64

  /// Makes behaviours from bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Only words.
  public static let staticText = UIAccessibilityTraits(rawValue: 1 << 6)
  /// Changes too often for each change to be said.
  public static let updatesFrequently = UIAccessibilityTraits(rawValue: 1 << 9)
}
