import FeedConnections
import Foundation
import Logging
import MarketModel
import WireJSON

/// Logs each message as one JSON line to stderr.
///
///     {"time":"2026-11-24T14:00:00.000Z","level":"warning","logger":"livetape",
///      "message":"…","metadata":{"venue":"kraken"}}
struct JSONLogHandler: LogHandler {
  /// The maximum length of a message or value in Unicode scalars; longer ones are cut.
  static let maximumText = 4096

  let label: String
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  init(label: String) { self.label = label }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let provided = metadataProvider?.get() ?? [:]
    let all = metadata.merging(provided) { $1 }.merging(event.metadata ?? [:]) { $1 }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("time", HubClock.live.now().wall.description)
      writer.member("level", event.level.rawValue)
      writer.member("logger", label)
      writer.member("message", JSONLogHandler.bounded("\(event.message)"))
      if !all.isEmpty {
        writer.object("metadata") { writer in
          for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            writer.key(text: key)
            writer.string(JSONLogHandler.bounded("\(value)"))
          }
        }
      }
    }
    // A full disk loses log lines, not the server.
    try? FileHandle.standardError.write(contentsOf: Data(writer.bytes + [UInt8(ascii: "\n")]))
  }

  private static func bounded(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumText)))
  }
}
