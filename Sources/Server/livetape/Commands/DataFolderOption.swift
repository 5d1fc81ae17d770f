import ArgumentParser
import Foundation
import LivetapeServer

/// `--data DIR`, shared by `serve` and `ledger`.
struct DataFolderOption: ParsableArguments {
  @Option(
    help: """
      The data folder: orders, history, alerts, lists. Default: $XDG_DATA_HOME/livetape or \
      ~/.local/share/livetape; on macOS ~/Library/Application Support/Livetape.
      """)
  var data: String?

  var path: String {
    guard let data else {
      return DataFolder.standard(environment: ProcessInfo.processInfo.environment)
    }
    return URL(fileURLWithPath: (data as NSString).expandingTildeInPath).path
  }

  func validate() throws {
    if data?.isEmpty == true { throw ValidationError("--data needs the name of a folder") }
  }
}
