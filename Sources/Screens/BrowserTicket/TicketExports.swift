import MarketModel
import TicketModel

// WebAssembly in a page has one thread, so there is no concurrent access.
nonisolated(unsafe) private var ticket = Ticket(timing: .link)
/// The buffer for the texts of an action.
nonisolated(unsafe) private let input = UnsafeMutablePointer<UInt8>.allocate(
  capacity: inputCapacity)
private let inputCapacity = 16_384
/// The latest output; it stays in place until the next action.
nonisolated(unsafe) private var output: [UInt8] = []

/// The address that actions are read from.
@_expose(wasm, "ticket_input") @_cdecl("ticket_input")
public func ticketInput() -> UInt32 { UInt32(UInt(bitPattern: input)) }

/// The number of bytes that fit there.
@_expose(wasm, "ticket_input_capacity") @_cdecl("ticket_input_capacity")
public func ticketInputCapacity() -> Int32 { Int32(inputCapacity) }

/// The address of the latest output.
@_expose(wasm, "ticket_output") @_cdecl("ticket_output")
public func ticketOutput() -> UInt32 {
  output.withUnsafeBufferPointer { UInt32(UInt(bitPattern: $0.baseAddress)) }
}

/// Performs an action; returns the bytes of JSON output.
///
/// An unknown kind performs nothing. The times are in milliseconds, of a monotonic clock and since
/// 1970.
@_expose(wasm, "ticket_act") @_cdecl("ticket_act")
public func ticketAct(_ kind: Int32, _ length: Int32, _ monotonic: Double, _ wall: Double) -> Int32
{
  let now = ClockReading(
    monotonic: MonotonicTime(milliseconds: whole(monotonic)),
    wall: Timestamp(milliseconds: whole(wall)))
  let action = TicketInput(read(length)).action(kind)
  let effects = action.map { ticket.perform($0, at: now) } ?? []
  var json = TicketJSON()
  ticket.write(to: &json, effects: effects, at: now)
  output = json.bytes
  return Int32(output.count)
}

/// Pasted text with its line breaks as spaces; returns the bytes of output.
@_expose(wasm, "ticket_pasted") @_cdecl("ticket_pasted")
public func ticketPasted(_ length: Int32) -> Int32 {
  output = Array(pastedText(String(decoding: read(length), as: UTF8.self)).utf8)
  return Int32(output.count)
}

/// Converts a number outside of the ticket; returns the bytes of output, 0 for an invalid number.
///
/// Kind 0 reads a quantity and 1 an amount, both to digits with a point; 2 writes such digits as
/// typed.
@_expose(wasm, "ticket_number") @_cdecl("ticket_number")
public func ticketNumber(_ kind: Int32, _ length: Int32) -> Int32 {
  let text = String(decoding: read(length), as: UTF8.self)
  let number = kind == 2 ? ticket.typed(text) : ticket.plain(text, isAmount: kind == 1)
  output = Array((number ?? "").utf8)
  return Int32(output.count)
}

/// What an amended order trades at once; returns the bytes of output, 0 if it would rest.
///
/// Writes what trades as JSON, with what rests as `rest`. Reads
/// side, limit, quantity, filled quantity, best opposite price and quantity, symbol.
@_expose(wasm, "ticket_crossing") @_cdecl("ticket_crossing")
public func ticketCrossing(_ length: Int32) -> Int32 {
  let input = TicketInput(read(length))
  var json = TicketJSON()
  if let crossing = input.crossing {
    json.object { json in
      json.sentence("text", crossing.words(input.text(6)))
      json.sentence("rest", crossing.restWords)
    }
  }
  output = json.bytes
  return Int32(output.count)
}

private func read(_ length: Int32) -> UnsafeBufferPointer<UInt8> {
  UnsafeBufferPointer(start: input, count: min(max(0, Int(length)), inputCapacity))
}

/// Milliseconds without their fraction; 0 for an invalid time.
private func whole(_ milliseconds: Double) -> Int64 {
  abs(milliseconds) <= 9_007_199_254_740_991 ? Int64(milliseconds) : 0
}
