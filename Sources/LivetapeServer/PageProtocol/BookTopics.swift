// Topics of an instrument with a book: the chooser, the book and the trades.

import AppState
import MarketModel
import WireJSON
import VenueProtocols

extension BookChooserState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("instruments") { writer in
      writer.beginArray()
      for instrument in instruments {
        var entry = PageObject()
        entry.set("symbol", text: instrument.symbol.text)
        entry.set("venue", text: instrument.venue.rawValue)
        entry.set("name", text: instrument.name)
        entry.set(instrument)
        entry.value.write(to: &writer)
      }
      writer.endArray()
    }
    object.set("acceptsPair", text: acceptsPair?.rawValue)
    return object.value
  }
}

extension BookState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("symbol", text: symbol.text)
    object.set("known", boolean: instrument != nil)
    guard let instrument else { return object.value }
    object.set(instrument)
    object.set("venue", text: instrument.venue.rawValue)
    object.set("status", text: status.rawValue)
    object.set("freshness", freshness: freshness)
    object.set("priceDecimals", integer: priceDecimals?.digits)
    object.set("bids") { BookState.write(bids, to: &$0) }
    object.set("asks") { BookState.write(asks, to: &$0) }
    object.set("spread", decimal: spread?.trimmed)
    object.set("basisPoints", decimal: spreadBasisPoints)
    object.set("bidShare", integer: bidThousandths)
    object.set("group", integer: grouping.ticks)
    object.set("groups") { writer in
      writer.beginArray()
      for choice in groupings {
        writer.beginArray()
        writer.integer(choice.grouping.ticks)
        writer.decimalString(choice.step)
        writer.endArray()
      }
      writer.endArray()
    }
    object.set("bidLevels", integer: bidLevels)
    object.set("askLevels", integer: askLevels)
    object.set("sequence", integer: sequence)
    object.set("resyncs", integer: resyncs)
    return object.value
  }

  private static func write(_ rows: [BookRowState], to writer: inout JSONWriter) {
    writer.beginArray()
    for row in rows {
      writer.beginArray()
      writer.decimalString(row.price.trimmed)
      writer.decimalString(row.size)
      writer.optional(row.sizeInBase)
      writer.integer(row.barThousandths)
      writer.integer(row.sizeThousandths)
      writer.decimalString(row.total)
      writer.optional(row.cost)
      writer.optional(row.average)
      writer.endArray()
    }
    writer.endArray()
  }
}

extension TradesState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("symbol", text: symbol.text)
    object.set("known", boolean: instrument != nil)
    guard let instrument else { return object.value }
    object.set(instrument)
    object.set("freshness", freshness: freshness)
    object.set("priceDecimals", integer: priceDecimals?.digits)
    object.set("trades") { writer in
      writer.beginArray()
      for print in prints { TradesState.write(print, to: &writer) }
      writer.endArray()
    }
    object.set("sizeSteps") { writer in
      writer.beginArray()
      for step in sizeSteps { writer.decimalString(step) }
      writer.endArray()
    }
    return object.value
  }

  private static func write(_ print: PrintRowState, to writer: inout JSONWriter) {
    writer.beginArray()
    writer.integer(print.arrival)
    writer.decimalString(print.price.trimmed)
    writer.decimalString(print.size)
    writer.optional(print.sizeInBase)
    writer.string(print.side?.rawValue ?? "none")
    writer.integer(print.time.milliseconds)
    writer.integer(print.count)
    writer.optional(print.from?.trimmed)
    writer.integer(print.barThousandths)
    writer.endArray()
  }
}
