// What a view says to people who listen to it, and to tests.

import Foundation

/// What screen readers do with the parts of a view.
public struct AccessibilityChildBehavior: Hashable {
  let name: String

  /// The view speaks for its parts.
  public static var ignore: AccessibilityChildBehavior { .init(name: "ignore") }
  /// The parts stay.
  public static var contain: AccessibilityChildBehavior { .init(name: "contain") }
  /// The view says what its parts say.
  public static var combine: AccessibilityChildBehavior { .init(name: "combine") }
}

/// What screen readers call a view.
public struct AccessibilityTraits: SetAlgebra, Sendable {
  var names: Set<String> = []

  /// None.
  public init() {}

  init(name: String) { names = [name] }

  /// A button.
  public static let isButton = AccessibilityTraits(name: "isButton")
  /// A heading.
  public static let isHeader = AccessibilityTraits(name: "isHeader")
  /// It is the chosen one.
  public static let isSelected = AccessibilityTraits(name: "isSelected")
  /// A picture.
  public static let isImage = AccessibilityTraits(name: "isImage")
  /// It changes often.
  public static let updatesFrequently = AccessibilityTraits(name: "updatesFrequently")

  /// Whether a trait is among them.
  public func contains(_ member: AccessibilityTraits) -> Bool { names.isSuperset(of: member.names) }
  /// Both together.
  public func union(_ other: AccessibilityTraits) -> AccessibilityTraits {
    var copy = self
    copy.formUnion(other)
    return copy
  }
  /// What both have.
  public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
    var copy = self
    copy.formIntersection(other)
    return copy
  }
  /// What one of them has.
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
  /// Takes a trait away.
  public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
    guard contains(member) else { return nil }
    names.subtract(member.names)
    return member
  }
  /// Adds a trait.
  public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? {
    insert(newMember).inserted ? nil : newMember
  }
  /// Adds others.
  public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
  /// Keeps what both have.
  public mutating func formIntersection(_ other: AccessibilityTraits) {
    names.formIntersection(other.names)
  }
  /// Keeps what one of them has.
  public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {
    names.formSymmetricDifference(other.names)
  }
}

/// Which way a value is to be changed.
public enum AccessibilityAdjustmentDirection: Hashable, Sendable {
  /// Up.
  case increment
  /// Down.
  case decrement
}

extension View {
  /// The name that a screen reader says.
  public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
    said(.accessibilityLabel, labelKey.text)
  }
  /// The name that a screen reader says.
  @_disfavoredOverload public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
    said(.accessibilityLabel, String(label))
  }
  /// The name that a screen reader says.
  public func accessibilityLabel(_ label: Text) -> some View {
    said(.accessibilityLabel, label.text)
  }
  /// The value that a screen reader says.
  public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View {
    said(.accessibilityValue, valueKey.text)
  }
  /// The value that a screen reader says.
  @_disfavoredOverload public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
    said(.accessibilityValue, String(value))
  }
  /// What a screen reader adds.
  public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View {
    said(.accessibilityHint, hintKey.text)
  }
  /// The name for tests.
  public func accessibilityIdentifier(_ identifier: String) -> some View {
    said(.accessibilityIdentifier, identifier)
  }
  /// Not for screen readers.
  public func accessibilityHidden(_ hidden: Bool) -> some View {
    said(.accessibilityHidden, "\(hidden)")
  }
  /// What a screen reader calls it, in addition.
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
    said(.accessibilityTraits, traits.names.sorted().joined(separator: ","))
  }
  /// What screen readers do with the parts.
  public func accessibilityElement(
    children: AccessibilityChildBehavior = .ignore
  ) -> some View { said(.accessibilityElement, children.name) }

  /// What swiping up or down on it does.
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

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension AccessibilityChildBehavior: Sendable {}
