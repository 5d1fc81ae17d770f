import ArgumentParser
import LivetapeServer

/// `livetape read`: reads venues for servers behind a bus; of several readers one reads each venue.
struct ReadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Read venues for servers behind a bus; another reader stands by.")

  @Option(help: "Which venues to read: simulated, live, or some live ones, as in kraken,coinbase.")
  var venues = VenueMode.simulated
  @Option(help: "Seed of the simulated venues.") var seed: UInt64 = 1
  @OptionGroup var urls: VenueURLOptions
  @OptionGroup var options: BusWorkOptions

  func run() async throws {
    var configuration = LivetapeConfiguration()
    configuration.mode = venues
    configuration.addresses = try urls.addresses()
    configuration.seed = seed
    configuration.buxToken = try Secrets.buxToken()
    try await options.work(
      as: .reader, label: "livetape.read", "reads for the servers behind", configuration)
  }
}
