// The default action of SIGHUP ends a process, a service as well as a command in a terminal.

import Foundation
import UnixSignals

/// SIGHUP never ends a command, unless the terminal that it was started from is closed.
///
/// Then the command ends as by SIGTERM. What a command reloads at SIGHUP it traps by itself.
enum Hangups {
  /// Traps SIGHUP from now on.
  static func trap() async {
    let hadTerminal = isatty(STDIN_FILENO) == 1
    let signals = await UnixSignalsSequence(trapping: .sighup)
    Task {
      for await _ in signals where hadTerminal && isatty(STDIN_FILENO) == 0 {
        // Not `raise`, which signals this thread alone: the handlers read the process's signals.
        kill(getpid(), SIGTERM)
      }
    }
  }
}
