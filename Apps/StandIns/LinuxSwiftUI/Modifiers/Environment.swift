public import Combine
import Foundation

extension View {
  /// Sets a value of the environment.
  public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View {
    var modified = Modified(self)
    modified.inherit = { $0[keyPath: keyPath] = value }
    return modified
  }

  /// Provides an object to the views below, by its type.
  public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
    var modified = Modified(self)
    modified.inherit = { $0.setObject(object) }
    return modified
  }

  /// Disables controls.
  public func disabled(_ disabled: Bool) -> some View {
    var modified = Modified(self)
    modified.inherit = { $0.isEnabled = $0.isEnabled && !disabled }
    return modified
  }

  /// Redacts text.
  public func redacted(reason: RedactionReasons) -> some View {
    var modified = Modified(self)
    modified.inherit = { $0.redactionReasons.formUnion(reason) }
    return modified
  }

  /// Removes a redaction.
  public func unredacted() -> some View {
    var modified = Modified(self)
    modified.inherit = { $0.redactionReasons = [] }
    return modified
  }

  /// Overrides the colour scheme; nil for the system's.
  public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
    var modified = Modified(self)
    modified.inherit = { if let colorScheme { $0.colorScheme = colorScheme } }
    modified.notes.change = { node, _ in
      node.attributes[.other("preferredColorScheme")] = colorScheme.map { "\($0)" } ?? "system"
    }
    return modified
  }

  /// Limits the text size.
  public func dynamicTypeSize<T: RangeExpression>(_ range: T) -> some View
  where T.Bound == DynamicTypeSize {
    var modified = Modified(self)
    modified.inherit = { values in
      let allowed = DynamicTypeSize.allCases.filter { range.contains($0) }
      guard let least = allowed.first, let most = allowed.last else { return }
      values.dynamicTypeSize = min(max(values.dynamicTypeSize, least), most)
    }
    return modified
  }

  /// Sets the text size.
  public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View {
    environment(\.dynamicTypeSize, size)
  }
}
