// The alerts as one JSON text, as the server keeps them.

import MarketModel
import WireJSON

extension AlertBook {
  /// The most bytes of all alerts as JSON: more than the bounds of the parts add up to.
  public static let maximumBytes = 1 << 20
  static let version: Int64 = 1

  /// Everything as JSON; times are nanoseconds since 1970.
  public var json: [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.member("version", AlertBook.version)
    writer.member("nextAlert", nextAlert)
    writer.member("nextFiring", nextFiring)
    writer.member("seenUntil", seenUntil)
    writer.list("alerts", alerts) { $0.write(to: &$1) }
    writer.list("watches", watches.sorted { $0.key.text < $1.key.text }) { pair, writer in
      writer.beginObject()
      writer.member("market", pair.key.text)
      pair.value.write(to: &writer)
      writer.endObject()
    }
    writer.list("firings", firings) { $0.write(to: &$1) }
    writer.list("blind", blindSpans) { span, writer in
      writer.beginObject()
      writer.member("market", span.instrument.text)
      writer.member("since", span.since)
      writer.member("until", span.until)
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, _ time: Timestamp?) {
    if let time { member(name, time.nanoseconds) }
  }

  fileprivate mutating func member(_ name: StaticString, _ value: FixedDecimal) {
    key(name)
    decimalString(value)
  }

  fileprivate mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }
}

extension PriceAlert {
  /// The side is left out: it follows from the latest trade.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("market", instrument.text)
    writer.member("level", level)
    writer.member("repeats", repeats)
    writer.member("armed", isArmed)
    writer.member("createdAt", createdAt)
    writer.member("firedAt", firedAt)
    writer.endObject()
  }
}

extension AlertWatch {
  fileprivate func write(to writer: inout JSONWriter) {
    if let mark {
      writer.member("price", mark.price)
      writer.member("time", mark.time)
      writer.member("identifier", mark.identifier)
    }
    writer.member("openSince", openSince)
    writer.member("unseenSince", unseenSince)
  }
}

extension AlertFiring {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("number", number)
    writer.member("alert", alert)
    writer.member("market", instrument.text)
    writer.member("level", level)
    writer.member("from", from.rawValue)
    writer.member("price", price)
    writer.member("time", time)
    writer.member("identifier", identifier)
    writer.member("at", at)
    writer.member("blindSince", blindSince)
    writer.endObject()
  }
}
