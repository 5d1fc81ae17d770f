import Logging
import NIOConcurrencyHelpers

struct ListHandler: LogHandler {
  let lines: NIOLockedValueBox<[String]>
  var logLevel = Logger.Level.trace
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let line = "\(event.message) \(metadata) \(event.metadata ?? [:])"
    lines.withLockedValue { $0.append(line) }
  }
}
