import AppState
import MarketModel
import WireJSON

extension StatusState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("worst", text: worst.rawValue)
    object.set("order", array: order) { $0.string($1.rawValue) }
    object.setObject("venues") { venues in
      for venue in order {
        guard let state = self.venues[venue] else { continue }
        venues.set(venue.rawValue, state.page)
      }
    }
    return object.value
  }
}

extension VenueState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("name", text: name)
    object.set("phase", text: phase.rawValue)
    object.set("connected", boolean: connected)
    object.set("origin", text: origin.rawValue)
    object.set("since", time: since)
    object.set("lastMessage", time: lastMessage)
    object.set("roundTripMicroseconds", integer: roundTripMicroseconds)
    object.set("delayMilliseconds", integer: delayMilliseconds)
    object.set("reconnects", integer: reconnects)
    object.set("resyncs", integer: resyncs)
    object.set("rejected", integer: rejected)
    if skipped > 0 { object.set("skipped", integer: skipped) }
    if !dissents.isEmpty { object.set("dissenting") { write(dissents, to: &$0) } }
    object.set("nextAttempt", time: nextAttempt)
    object.set("reason", sentence: reason)
    return object.value
  }

  private func write(_ dissents: [VenueDissent], to writer: inout JSONWriter) {
    writer.arrays(dissents) { writer, entry in
      writer.string(entry.symbol.text)
      entry.dissent.writeMembers(to: &writer)
    }
  }
}
