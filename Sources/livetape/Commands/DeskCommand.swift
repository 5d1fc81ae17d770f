// `livetape desk`: keeps the orders of all servers behind a bus.

import ArgumentParser
import LivetapeServer

/// Takes, matches and stores orders for servers on other machines.
struct DeskCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "desk",
    abstract: "Keep the ledger for servers behind a bus; one process a ledger.")

  @OptionGroup var folder: DataFolderOption
  @OptionGroup var options: BusWorkOptions

  func run() async throws {
    var configuration = LivetapeConfiguration()
    configuration.dataFolder = folder.path
    try await options.work(
      as: .desk, label: "livetape.desk", "keeps the orders of the servers behind", configuration)
  }
}
