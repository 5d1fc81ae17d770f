// What a venue behind faults keeps of a connection. Outside of `FaultyVenue`, whose nested types
// would be generic and looked up at each use.

import MarketModel

/// A message on its way to a client.
struct FaultyMessage: Sendable {
  let client: ClientID
  let bytes: [UInt8]
  let binary: Bool
}

/// What a delay holds.
enum HeldMessage: Sendable {
  /// A delayed message.
  case message(FaultyMessage)
  /// The time when a message that waits for its successor waits no longer; its number.
  case reordered(ClientID, Int)
}

/// A connection's messages: how many there were, and those that were not sent yet.
struct FaultyConnection: Sendable {
  var random: SplitMix64
  var number = 0
  var held = 0
  var delayedUntil: Timestamp?
  var reordered: (number: Int, message: FaultyMessage)?
  /// What waits for the end of a silence on demand.
  var stalled: [FaultyMessage] = []
  /// What a flood repeats.
  var latest: FaultyMessage?
}
