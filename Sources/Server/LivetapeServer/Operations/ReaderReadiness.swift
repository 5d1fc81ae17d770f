import MarketModel
import MessageBus
import VenueTape
import WireJSON

/// The readiness of a reader, for a supervisor on the same machine.
struct ReaderReadiness: ProcessReadiness, Equatable {
  var link: BusLink
  var venues: [TapeReading] = []

  /// Whether it reads, or would at once if another reader ended.
  var isReady: Bool { link == .up && venues.allSatisfy { $0.problem == nil } }

  private var reasons: [(code: String, text: String)] {
    busReasons
      + venues.compactMap { reading in
        reading.problem.map { ($0.reason.code, "\(reading.venue): \($0)") }
      }
  }

  /// `{"ready":true,"count":0,"reasons":[],"venues":[{"venue":"kraken","role":"reads",…},…]}`.
  var json: [UInt8] {
    var writer = JSONWriter()
    begin(&writer, reasons)
    writer.member("venues", array: venues) { write($1, to: &$0) }
    writer.endObject()
    return writer.bytes
  }

  private func write(_ reading: TapeReading, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("venue", reading.venue.rawValue)
      writer.member("role", reading.epoch == nil ? "standby" : "reads")
      if let epoch = reading.epoch {
        writer.member("epoch", epoch)
        writer.member("phase", reading.phase.rawValue)
      }
    }
  }
}
