// A failure that a person can understand from one line.

/// Ends a command with status 1 and this line on stderr.
struct CommandFailure: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
