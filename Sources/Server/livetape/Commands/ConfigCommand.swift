import ArgumentParser
import LivetapeServer

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Look at a configuration file of serve.",
    subcommands: [Check.self])

  /// Reads a file as `serve` would.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Say whether serve would start with a file; files that it names are read, too.")

    @Argument(help: "The file.") var file: String

    func run() async throws {
      let read = try ConfigurationFile(path: file)
      let serve: ServeCommand
      do {
        serve = try ServeCommand.parse(read.arguments())
      } catch {
        throw CommandFailure("\(file): \(ServeCommand.message(for: error))")
      }
      do {
        try serve.configuration().check()
      } catch let error as ConfigurationError {
        throw CommandFailure("\(file): \(error.description)")
      } catch let error as CommandFailure {
        throw CommandFailure("\(file): \(error.message)")
      } catch {
        throw CommandFailure("\(file): \(ServeCommand.message(for: error))")
      }
      try StandardOutput.write("\(file) is fine")
    }
  }
}
