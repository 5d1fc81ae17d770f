/// Haptic or audio feedback.
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
    let target = FeedbackTarget()
    var modified = Modified(
      onChange(of: trigger) { old, new in
        if let played = feedback(old, new) { target.host?.feel(played.name) }
      })
    modified.notes.visit = { context in target.host = context.host }
    return modified
  }
}

/// The host of a view with feedback, known only once the view is evaluated.
@MainActor private final class FeedbackTarget {
  weak var host: ViewHost?
}
