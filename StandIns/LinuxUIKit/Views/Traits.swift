// What a view adapts to beside light and dark: the size of words that the person wants.

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
public protocol UITraitDefinition {}

/// The kind that is the size of words.
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {}

/// A kind of what looks depend on, as a value.
public typealias UITrait = any UITraitDefinition.Type

/// A handler that is told of changes.
@MainActor @preconcurrency public protocol UITraitChangeRegistration {}

private struct Registration: UITraitChangeRegistration {}

/// Can tell of changes.
@MainActor @preconcurrency public protocol UITraitChangeObservable: AnyObject {}

extension UIView: UITraitChangeObservable {}

extension UITraitChangeObservable where Self: UIView {
  /// Calls the handler with this view and what was before, when one of the traits changes.
  @discardableResult public func registerForTraitChanges(
    _ traits: [UITrait], handler: @escaping (Self, UITraitCollection) -> Void
  ) -> any UITraitChangeRegistration {
    traitHandlers.append { [weak self] before in
      if let self { handler(self, before) }
    }
    return Registration()
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
