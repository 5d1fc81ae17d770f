// The page's proof of a book: takes the JSON of the rows about to be drawn and compares it with the
// server's hash and the venue's checksum.

import MarketModel

// WebAssembly in a page has one thread, so there is no concurrent access.
nonisolated(unsafe) private var reader = BookRowsReader()
/// The buffer for the page's rows.
nonisolated(unsafe) private let input = UnsafeMutablePointer<UInt8>.allocate(
  capacity: inputCapacity)
private let inputCapacity = 32_768

/// The address that rows are read from.
@_expose(wasm, "proof_input") @_cdecl("proof_input")
public func proofInput() -> UInt32 { UInt32(UInt(bitPattern: input)) }

/// The number of bytes that fit there.
@_expose(wasm, "proof_input_capacity") @_cdecl("proof_input_capacity")
public func proofInputCapacity() -> Int32 { Int32(inputCapacity) }

/// Compares rows with their hash and checksum.
///
/// Parameters: the length of the rows in bytes, the halves of the server's hash, the venue's
/// checksum, and the decimals of prices and sizes in it. Returns 0 for invalid rows, otherwise 1,
/// plus 2 if the hash matches, 4 if the checksum matches, 8 if the book is crossed.
@_expose(wasm, "proof_check") @_cdecl("proof_check")
public func proofCheck(
  _ length: Int32, _ high: UInt32, _ low: UInt32, _ checksum: UInt32, _ priceDigits: Int32,
  _ sizeDigits: Int32
) -> Int32 {
  let text = UnsafeBufferPointer(start: input, count: min(max(0, Int(length)), inputCapacity))
  guard let price = Scale(digits: Int(priceDigits)), let size = Scale(digits: Int(sizeDigits)),
    let found = reader.findings(in: Span(_unsafeElements: text), price: price, size: size)
  else { return 0 }
  let isHash = found.hash == UInt64(high) << 32 | UInt64(low)
  return 1 + (isHash ? 2 : 0) + (found.checksum == checksum ? 4 : 0) + (found.isCrossed ? 8 : 0)
}
