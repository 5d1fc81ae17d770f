// How an event is written: JSON with fixed keys in a fixed order, whole numbers and no blanks, so
// that one event has one text, and the hash over it can be checked by any tool. Reading accepts
// that text and no other.
//
//     {"v":1,"sequence":2,"time":1790000000000000000,"event":"filled","order":1,"quantity":60,…}

import MarketModel
import PaperTrading
import WireJSON

/// Turns events into their one text and back.
enum EventCodec {
  /// The text of an event; ASCII.
  static func encode(_ event: OrderEvent) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.member("v", 1)
    json.member("sequence", event.sequence)
    json.member("time", event.time.nanoseconds)
    json.key("event")
    switch event.change {
    case .accepted(let placement):
      json.string("accepted")
      write(placement, to: &json)
    case .rejected(let placement, let reason):
      let (code, values) = reason.stored
      json.string("rejected")
      write(placement, to: &json)
      json.member("reason", code)
      json.key("values")
      write(values, to: &json)
    case .filled(let order, let fill):
      json.string("filled")
      json.member("order", order.number)
      write(fill, to: &json)
    case .amended(let order, let amendment):
      json.string("amended")
      json.member("order", order.number)
      write(amendment, to: &json)
    case .cancelled(let order, let cancellation):
      json.string("cancelled")
      json.member("order", order.number)
      write(cancellation, to: &json)
    }
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// The event of a text; throws when the text is not exactly what ``encode(_:)`` writes.
  static func decode(_ text: String) throws(JSONError) -> OrderEvent {
    var reader = PayloadReader(text)
    let event = try reader.object { members throws(JSONError) in
      guard try members.integer("v") == 1 else { throw members.unreadable }
      let sequence = try members.unsigned("sequence")
      let time = Timestamp(nanoseconds: try members.integer("time"))
      return OrderEvent(sequence: sequence, time: time, change: try change(&members))
    }
    try reader.finish()
    // One event has one text: blanks, escapes and other spellings of the same values are damage.
    guard encode(event).utf8.elementsEqual(text.utf8) else { throw reader.unreadable }
    return event
  }

  /// The device's name in an event that makes or amends an order; nil for other events.
  static func clientIdentifier(of event: OrderEvent) -> String? {
    switch event.change {
    case .accepted(let placement), .rejected(let placement, _):
      placement.request.clientIdentifier.text
    case .amended(_, let amendment): amendment.clientIdentifier.text
    case .filled, .cancelled: nil
    }
  }
}
