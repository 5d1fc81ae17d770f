import ArgumentParser
import LivetapeServer
import OrderLedger

/// `livetape orders`: handles the orders of all servers behind a bus.
struct OrdersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orders",
    abstract: "Keep the ledger for servers behind a bus; one process a ledger.",
    aliases: ["desk"])

  @OptionGroup var folder: DataFolderOption
  @Option(
    help: ArgumentHelp(
      """
      The ledger that the bus remembers and this folder's ledger replaces, for good. The servers \
      follow the new one once they are restarted.
      """, valueName: "id"))
  var replaceLedger: String?
  @OptionGroup var orders: PaperOrderOptions
  @OptionGroup var options: BusWorkOptions

  func validate() throws {
    guard let replaceLedger, LedgerIdentity(replaceLedger) == nil else { return }
    throw ValidationError("--replace-ledger needs the 32 digits that the refusal names")
  }

  func run() async throws {
    var configuration = LivetapeConfiguration()
    configuration.dataFolder = folder.path
    try orders.apply(to: &configuration)
    configuration.replacedLedger = replaceLedger.flatMap { LedgerIdentity($0) }
    try await options.work(
      as: .orders, label: "livetape.orders", "keeps the orders of the servers behind", configuration
    )
  }
}
