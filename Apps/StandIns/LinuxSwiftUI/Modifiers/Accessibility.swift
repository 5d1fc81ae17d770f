import Foundation

/// How screen readers treat a view's parts.
public struct AccessibilityChildBehavior: Hashable {
  let name: String

  /// The view replaces its parts.
  public static var ignore: AccessibilityChildBehavior { .init(name: "ignore") }
  /// The parts stay.
  public static var contain: AccessibilityChildBehavior { .init(name: "contain") }
  /// The view combines its parts.
  public static var combine: AccessibilityChildBehavior { .init(name: "combine") }
}

/// A view's traits for screen readers.
public struct AccessibilityTraits: SetAlgebra, Sendable {
  var names: Set<String> = []

  /// An empty set.
  public init() {}

  init(name: String) { names = [name] }

  /// A button.
  public static let isButton = AccessibilityTraits(name: "isButton")
  /// A heading.
  public static let isHeader = AccessibilityTraits(name: "isHeader")
  /// The selected element.
  public static let isSelected = AccessibilityTraits(name: "isSelected")
  /// An image.
  public static let isImage = AccessibilityTraits(name: "isImage")
  /// It changes often.
  public static let updatesFrequently = AccessibilityTraits(name: "updatesFrequently")

  /// Whether the set contains a trait.
  public func contains(_ member: AccessibilityTraits) -> Bool { names.isSuperset(of: member.names) }
  /// The union.
  public func union(_ other: AccessibilityTraits) -> AccessibilityTraits {
    var copy = self
    copy.formUnion(other)
    return copy
  }
  /// The intersection.
  public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
    var copy = self
    copy.formIntersection(other)
    return copy
  }
  /// The symmetric difference.
  public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
    var copy = self
    copy.formSymmetricDifference(other)
    return copy
  }
  /// Adds a trait.
  public mutating func insert(
    _ newMember: AccessibilityTraits
  ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
    let isNew = !contains(newMember)
    formUnion(newMember)
    return (isNew, newMember)
  }
  /// Removes a trait.
  public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
    guard contains(member) else { return nil }
    names.subtract(member.names)
    return member
  }
  /// Adds a trait.
  public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? {
    insert(newMember).inserted ? nil : newMember
  }
  /// Forms the union.
  public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
  /// Forms the intersection.
  public mutating func formIntersection(_ other: AccessibilityTraits) {
    names.formIntersection(other.names)
  }
  /// Forms the symmetric difference.
  public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {
    names.formSymmetricDifference(other.names)
  }
}

/// The direction of an adjustment.
public enum AccessibilityAdjustmentDirection: Hashable, Sendable {
  case increment
  case decrement
}

extension View {
  /// The screen reader's label.
  public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
    said(.accessibilityLabel, Text(labelKey))
  }
  /// The screen reader's label.
  @_disfavoredOverload public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
    said(.accessibilityLabel, String(label))
  }
  /// The screen reader's label.
  public func accessibilityLabel(_ label: Text) -> some View {
    said(.accessibilityLabel, label)
  }
  /// The screen reader's value.
  public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View {
    said(.accessibilityValue, Text(valueKey))
  }
  /// The screen reader's value.
  @_disfavoredOverload public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
    said(.accessibilityValue, String(value))
  }
  /// The screen reader's hint.
  public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View {
    said(.accessibilityHint, Text(hintKey))
  }
  /// The identifier for tests.
  public func accessibilityIdentifier(_ identifier: String) -> some View {
    said(.accessibilityIdentifier, identifier)
  }
  /// Hides the view from screen readers.
  public func accessibilityHidden(_ hidden: Bool) -> some View {
    said(.accessibilityHidden, "\(hidden)")
  }
  /// Adds traits for screen readers.
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
    said(.accessibilityTraits, traits.names.sorted().joined(separator: ","))
  }
  /// Sets how screen readers treat the parts.
  public func accessibilityElement(
    children: AccessibilityChildBehavior = .ignore
  ) -> some View { said(.accessibilityElement, children.name) }

  /// Sets the action of swipes up and down.
  public func accessibilityAdjustableAction(
    _ handler: @escaping (AccessibilityAdjustmentDirection) -> Void
  ) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in
      node.actions.increment = { handler(.increment) }
      node.actions.decrement = { handler(.decrement) }
    }
    return modified
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension AccessibilityChildBehavior: Sendable {}
