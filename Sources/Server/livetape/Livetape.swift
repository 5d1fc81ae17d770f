import ArgumentParser
import Foundation
import UnixSignals

/// The `livetape` command.
///
/// Exit status: 0, 1 (failed, one clear line on stderr), 2 (usage).
@main
struct Livetape: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "livetape",
    abstract: "Real-time markets, where no number on screen lies.",
    version: "1.0.0",
    subcommands: [
      ServeCommand.self, ReadCommand.self, OrdersCommand.self, SimulateCommand.self,
      WatchCommand.self, RecordCommand.self, ReplayCommand.self, HistoryCommand.self,
      LedgerCommand.self, ConfigCommand.self, VenueCommand.self,
    ])

  static func main() async {
    await Hangups.trap()
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      var command = try parseAsRoot(ConfigurationFile.expanded(arguments))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      finish(error)
    }
  }

  /// Ends the process: 2 for usage errors, 1 and one line for failures.
  private static func finish(_ error: any Error) -> Never {
    if let failure = error as? CommandFailure {
      StandardError.write("livetape: \(failure.message)")
      Foundation.exit(1)
    }
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    if code.isSuccess {
      do {
        try StandardOutput.write(message)
      } catch {
        if error != .outputClosed { finish(error) }
      }
      Foundation.exit(0)
    }
    if code == .validationFailure {
      StandardError.write(message)
      Foundation.exit(2)
    }
    StandardError.write("livetape: \(error)")
    Foundation.exit(1)
  }
}

/// SIGHUP ends a command, as SIGTERM would, only if its terminal was closed.
///
/// Commands that reload at SIGHUP trap it themselves.
enum Hangups {
  static func trap() async {
    let hadTerminal = isatty(STDIN_FILENO) == 1
    let signals = await UnixSignalsSequence(trapping: .sighup)
    Task {
      for await _ in signals where hadTerminal && isatty(STDIN_FILENO) == 0 {
        // Not `raise`, which signals this thread only: the handlers read the process's signals.
        kill(getpid(), SIGTERM)
      }
    }
  }
}
