import ArgumentParser
import Foundation
import OrderLedger

/// `livetape ledger`: read-only access to the order history, even beside a running server.
struct LedgerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger", abstract: "List, verify or export the order history.",
    subcommands: [LedgerListCommand.self, LedgerVerifyCommand.self, LedgerExportCommand.self])
}

struct LedgerOptions: ParsableArguments {
  @OptionGroup var folder: DataFolderOption
  @Flag(help: "Print CSV.") var csv = false
  @Flag(help: "Print JSON.") var json = false

  var format: LedgerReader.Format? { csv ? .csv : json ? .json : nil }

  func validate() throws {
    if csv && json { throw ValidationError("choose --csv or --json, not both") }
  }

  func read() throws -> LedgerReader { try Self.ledger(in: folder.path) }

  /// Reads the ledger of a data folder.
  static func ledger(in folder: String) throws -> LedgerReader {
    let path = URL(fileURLWithPath: folder).appendingPathComponent(OrderLedger.fileName).path
    do {
      return try LedgerReader(path: path)
    } catch {
      throw CommandFailure(error.description)
    }
  }

  /// Throws the defects of a damaged ledger in one line.
  func check(_ ledger: LedgerReader) throws {
    guard !ledger.verification.isIntact else { return }
    throw CommandFailure(LedgerError.damaged(path: ledger.path, ledger.verification).description)
  }
}

struct LedgerListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print all orders, newest first.",
    discussion: "Of a damaged ledger the orders up to the damage are printed, with status 1.")

  @OptionGroup var options: LedgerOptions

  func run() throws {
    let ledger = try options.read()
    let orders = ledger.orders()
    if let format = options.format, let genesis = ledger.genesis {
      try StandardOutput.write(
        whole: OrderTable(genesis, of: ledger.history).text(orders, as: format))
    } else if let genesis = ledger.genesis {
      for line in OrderLines(genesis, of: ledger.history).lines(orders) {
        try StandardOutput.write(line)
      }
    }
    try options.check(ledger)
  }
}

struct LedgerVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every event and the hash chain; status 1 when something is damaged.",
    discussion: """
      Note the head hash elsewhere: whoever can write the file can also compute a whole new chain, \
      and only a noted hash shows that.
      """)

  @OptionGroup var options: LedgerOptions

  func run() throws {
    let ledger = try options.read()
    let report = VerificationReport(ledger)
    try StandardOutput.write(whole: options.format.map { report.encoded(as: $0) } ?? report.text)
    try options.check(ledger)
  }
}

struct LedgerExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Print every event with its hash, for other tools to verify.",
    discussion: """
      Each hash is SHA-256 of the 32 bytes of the hash before, followed by the event's text. JSON \
      lines unless --csv is given.
      """)

  @OptionGroup var options: LedgerOptions

  func run() throws {
    let ledger = try options.read()
    var lost: CommandFailure?
    do {
      try ledger.export(options.format ?? .json) { text in
        if lost != nil { return }
        do throws(CommandFailure) {
          try StandardOutput.write(whole: text)
        } catch {
          lost = error
        }
      }
    } catch {
      throw CommandFailure(error.description)
    }
    if let lost { throw lost }
    try options.check(ledger)
  }
}
