/// Ends a command with status 1 and this line on stderr.
struct CommandFailure: Error, Equatable {
  /// The reader of the output has closed it.
  static let outputClosed = CommandFailure("the output was closed before all was written")

  let message: String

  init(_ message: String) { self.message = message }
}
