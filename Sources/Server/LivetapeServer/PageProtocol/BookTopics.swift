import AppState
import MarketModel
import WireJSON
import VenueCatalogue

extension BookChooserState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("instruments", objects: instruments) { entry, instrument in
      entry.set("symbol", text: instrument.symbol.text)
      entry.set("venue", text: instrument.venue.rawValue)
      let market = instrument.marketName
      if market != instrument.symbol { entry.set("address", text: market.text) }
      entry.set("name", text: instrument.name)
      entry.set("kind", text: instrument.kind.rawValue)
      entry.set(instrument)
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
    object.setRows(of: self)
    object.set("spread", decimal: spread?.trimmed)
    object.set("basisPoints", decimal: spreadBasisPoints)
    object.set("bidShare", integer: bidThousandths)
    object.set("group", integer: grouping.ticks)
    object.set("groups", arrays: groupings) { writer, choice in
      writer.integer(choice.grouping.ticks)
      writer.decimalString(choice.step)
    }
    object.set("bidLevels", integer: bidLevels)
    object.set("askLevels", integer: askLevels)
    object.set("sequence", integer: sequence)
    object.set("resyncs", integer: resyncs)
    object.set("doubt", sentence: doubt?.words)
    if let witnesses { object.setObject("witnesses") { witnesses.write(to: &$0) } }
    return object.value
  }

  fileprivate static func write(_ rows: [BookRowState], to writer: inout JSONWriter) {
    writer.arrays(rows) { writer, row in
      writer.decimalString(row.price.trimmed)
      writer.decimalString(row.size)
      writer.optional(row.sizeInBase)
      writer.integer(row.barThousandths)
      writer.integer(row.sizeThousandths)
      writer.decimalString(row.total)
      writer.optional(row.cost)
      writer.optional(row.average)
    }
  }
}

extension PageObject {
  /// Sets both sides with their proof: the hash of everything drawn, and the venue's checksum if it
  /// sends one.
  ///
  /// All are of one moment, whatever is conflated between two frames.
  fileprivate mutating func setRows(of book: BookState) {
    var bids = JSONWriter(capacity: 2048)
    BookState.write(book.bids, to: &bids)
    var asks = JSONWriter(capacity: 2048)
    BookState.write(book.asks, to: &asks)
    set("bids") { $0.raw(bids.bytes) }
    set("asks") { $0.raw(asks.bytes) }
    var drawn = JSONWriter(capacity: bids.bytes.count + asks.bytes.count + 64)
    drawn.beginArray()
    drawn.raw(bids.bytes)
    drawn.raw(asks.bytes)
    drawn.optional(book.spread?.trimmed)
    drawn.optional(book.spreadBasisPoints)
    if let share = book.bidThousandths { drawn.integer(share) } else { drawn.null() }
    drawn.integer(book.grouping.ticks)
    drawn.endArray()
    var hash = FNV1a()
    for byte in drawn.bytes { hash.combine(byte: byte) }
    setObject("proof") { proof in
      proof.set("hash") { writer in
        writer.beginArray()
        writer.integer(hash.value >> 32)
        writer.integer(hash.value & 0xffff_ffff)
        writer.endArray()
      }
      if let unbroken = book.unbroken { proof.setUnbroken(unbroken) }
      if let venue = book.proof { proof.setChecksum(venue) }
    }
  }
}

extension PageObject {
  /// The messages of the connection since the snapshot, none of which is missing.
  mutating func setUnbroken(_ unbroken: UnbrokenSequence) {
    setObject("unbroken") { object in
      object.set("messages", integer: unbroken.messages)
      object.set("at", time: unbroken.at.wall)
    }
  }

  /// The venue's checksum, with all that is needed to recompute it.
  mutating func setChecksum(_ venue: BookProofState) {
    setObject("checksum") { object in
      object.set("kind", text: "crc32")
      object.set("value", integer: venue.proof.checksum)
      object.set("rows", integer: BookChecksum.depth)
      object.set("at", time: venue.proof.at.wall)
      object.set("priceDigits", integer: venue.priceScale.digits)
      object.set("sizeDigits", integer: venue.quantityScale.digits)
    }
  }
}

extension WitnessReport {
  fileprivate func write(to object: inout PageObject) {
    object.set("of", array: witnesses) { $0.string($1.rawValue) }
    object.set("dissents", arrays: dissents) { writer, dissent in
      dissent.writeMembers(to: &writer)
    }
  }
}

extension WitnessDissent {
  /// Stream, price kind, its value and the displayed value, as members of an array.
  func writeMembers(to writer: inout JSONWriter) {
    writer.string(witness.rawValue)
    writer.string(price.rawValue)
    writer.optional(said)
    writer.optional(against)
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
    object.set("trades", array: prints) { TradesState.write($1, to: &$0) }
    object.set("sizeSteps", array: sizeSteps) { $0.decimalString($1) }
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
