/// A feedback that the user feels or hears.
public struct SensoryFeedback: Equatable, Sendable {
  let name: String

  /// A task has completed.
  public static let success = SensoryFeedback(name: "success")
  /// A task has a problem.
  public static let warning = SensoryFeedback(name: "warning")
  /// An error has occurred.
  public static let error = SensoryFeedback(name: "error")
}

extension View {
  /// Plays the returned feedback when a value changes; none for nil.
  public func sensoryFeedback<T: Equatable>(
    trigger: T, _ feedback: @escaping (T, T) -> SensoryFeedback?
  ) -> some View {
    let feelings = Feelings()
    var modified = Modified(
      onChange(of: trigger) { old, new in
        if let felt = feedback(old, new) { feelings.host?.feel(felt.name) }
      })
    modified.notes.visit = { context in feelings.host = context.host }
    return modified
  }
}

/// The host of a view with feedback, known only once the view is evaluated.
@MainActor private final class Feelings {
  weak var host: ViewHost?
}
