// A failure that a person can understand from one line.

/// Ends a command with status 1 and this line on stderr.
struct CommandFailure: Error, Equatable {
  /// Whoever read the output has gone away.
  static let outputClosed = CommandFailure("the output was closed before all was written")

  let message: String

  init(_ message: String) { self.message = message }
}
