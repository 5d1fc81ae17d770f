// LT10 in the browser: replays recordings with the core as WebAssembly. test_replay.py calls it in
// Chromium; no page loads it.

import MarketModel
import OrderBook
import VenueProtocols

private let capacity = 1 << 20
// WebAssembly has a single thread here.
nonisolated(unsafe) private let input = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
// Single thread, as above.
nonisolated(unsafe) private var kraken: KrakenReplay?
// Single thread, as above.
nonisolated(unsafe) private var bitmex: BitMEXReplay?
// Single thread, as above.
nonisolated(unsafe) private var milliseconds: Int64 = 0

/// The address that messages are read from; its size is a megabyte.
@_expose(wasm, "replay_input") @_cdecl("replay_input")
public func replayInput() -> UInt32 { UInt32(UInt(bitPattern: input)) }

/// Begins a recording: 0 for Kraken, 1 for BitMEX.
@_expose(wasm, "replay_begin") @_cdecl("replay_begin")
public func replayBegin(_ venue: Int32) {
  kraken = venue == 0 ? KrakenReplay() : nil
  bitmex = venue == 0 ? nil : BitMEXReplay()
}

/// Applies the next message, of this many bytes; 1, or 0 for an unusable one.
@_expose(wasm, "replay_take") @_cdecl("replay_take")
public func replayTake(_ length: Int32) -> Int32 {
  let bytes = UnsafeBufferPointer(start: input, count: min(max(0, Int(length)), capacity))
  let message = Span(_unsafeElements: bytes)
  milliseconds += 1
  let now = ClockReading(milliseconds: milliseconds)
  if kraken != nil { return kraken?.process(message, at: now) == nil ? 1 : 0 }
  return bitmex?.process(message, at: now) == nil ? 1 : 0
}

/// A half of the state hash of the recording's book; half 0 is the high one.
///
/// Of all levels, or, with a limit, of the best rows of each side.
@_expose(wasm, "replay_hash") @_cdecl("replay_hash")
public func replayHash(_ limit: Int32, _ half: Int32) -> UInt32 {
  var book: OrderBook?
  if let kraken { book = kraken.bookSymbols.first.flatMap { kraken.book(for: $0) } }
  if let bitmex { book = bitmex.bookSymbols.first.flatMap { bitmex.book(for: $0) } }
  guard let book else { return 0 }
  let hash = limit == 0 ? book.stateHash : best(Int(limit), of: book).stateHash
  return UInt32(truncatingIfNeeded: half == 0 ? hash >> 32 : hash)
}

private func best(_ limit: Int, of book: OrderBook) -> OrderBook {
  var best = OrderBook()
  for side in BookSide.allCases {
    for row in book.rows(side, limit: limit) {
      best.set(side, price: row.price, size: row.size)
    }
  }
  return best
}
