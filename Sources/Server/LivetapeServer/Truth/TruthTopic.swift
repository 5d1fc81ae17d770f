import AppState
import MarketModel
import MarketStreams
import WireJSON

extension TruthRecord: PageEncodable {
  /// Spans, the last one ongoing, and the day up to the latest change; clients continue counting
  /// from there.
  var page: PageValue {
    var object = PageObject()
    object.set("spans", arrays: spans) { $1.writeMembers(to: &$0) }
    guard let day else { return object.value }
    object.setObject("day") { object in
      object.set("begins", integer: day.begins)
      object.set("countedTo", integer: day.countedTo)
      object.set("resyncs", integer: day.resyncs)
      for level in TruthLevel.allCases { object.set(level.rawValue, integer: day[level]) }
    }
    return object.value
  }
}

extension TruthSpan {
  /// Start, level and cause, as members of an array.
  func writeMembers(to writer: inout JSONWriter) {
    writer.integer(since)
    writer.string(level.rawValue)
    writer.optional(cause)
  }
}

/// A screen of one book integrity record: `truth/VENUE/SYMBOL`.
struct TruthTopic: TopicScreen {
  private static let prefix = "truth/"
  private static var nothing: PageValue {
    var object = PageObject()
    object.set("spans") { writer in
      writer.beginArray()
      writer.endArray()
    }
    return object.value
  }

  var record: TruthRecord?

  var page: PageValue { record?.page ?? TruthTopic.nothing }

  static func name(of instrument: InstrumentKey) -> String { prefix + instrument.text }

  /// The instrument of a topic; nil for another topic.
  static func instrument(of topic: String) -> InstrumentKey? {
    topic.hasPrefix(prefix) ? InstrumentKey(text: String(topic.dropFirst(prefix.count))) : nil
  }
}
