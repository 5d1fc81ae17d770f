import Foundation
public import MarketModel
import VenueProtocols
import VenueSimulator

/// A whole number from the command line, as in `--passes 9`; `missing` is the default.
public func option(_ name: String, _ missing: Int) -> Int {
  let arguments = CommandLine.arguments
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
    return missing
  }
  return Int(arguments[index + 1]) ?? missing
}

/// Processor seconds that this process has used: other work on the machine does not count.
public func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The book messages that a client of the simulated Kraken's BTC/USD receives in some minutes.
public func bookMessages(depth: Int, minutes: Int, from start: Timestamp) -> [[UInt8]] {
  var now = start
  var venue = SimulatedKraken(seed: 7, start: now)
  let client = ClientID(1)
  _ = venue.connect(client, VenueRequest(path: "/v2"), at: now)
  let request =
    #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":\#(depth)}}"#
  var effects = venue.receive(Array(request.utf8), binary: false, from: client, at: now)
  for _ in 0..<(minutes * 60) {
    now = Timestamp(nanoseconds: now.nanoseconds + 1_000_000_000)
    effects += venue.receive(
      Array(#"{"method":"ping"}"#.utf8), binary: false, from: client, at: now)
    effects += venue.advance(to: now)
  }
  return effects.compactMap { effect in
    guard case .send(_, let bytes, _) = effect,
      bytes.starts(with: Array(#"{"channel":"book""#.utf8))
    else { return nil }
    return bytes
  }
}
