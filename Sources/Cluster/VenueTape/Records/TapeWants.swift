import MarketModel
import NIOCore
import VenueProtocols

/// The streams requested by a server at a venue: published to the reader, repeated while they are
/// needed, and part of a checkpoint request.
struct TapeWants: Equatable {
  /// The maximum number of streams of a server; more than a venue's connection has topics.
  static let maximumStreams = 1024
  /// Longer than any list of so many.
  static let maximumBytes = 64 << 10

  let server: ServerName
  /// For a checkpoint request, whether the response starts a session; otherwise false.
  var isWhole = false
  let streams: Set<Subscription>

  /// Includes at most ``maximumStreams``; the caller chooses them with ``bounded(_:keeping:)``.
  init(server: ServerName, isWhole: Bool = false, streams: Set<Subscription>) {
    self.server = server
    self.isWhole = isWhole
    // The grouping of rows does not concern the venue.
    self.streams = TapeWants.bounded(
      Set(streams.map { Subscription($0.channel, $0.symbol) }), keeping: [])
  }

  /// At most the allowed number of streams: the present ones first, the others in order.
  static func bounded(
    _ streams: Set<Subscription>, keeping kept: Set<Subscription>
  ) -> Set<Subscription> {
    guard streams.count > maximumStreams else { return streams }
    let first = streams.intersection(kept).sorted().prefix(maximumStreams)
    let rest = streams.subtracting(first).sorted().prefix(maximumStreams - first.count)
    return Set(first + rest)
  }

  /// "server isWhole", then a line "channel symbol" for each stream.
  var bytes: ByteBuffer {
    var bytes = ByteBuffer(string: "\(server.text) \(isWhole ? 1 : 0)")
    for stream in streams.sorted() {
      bytes.writeString("\n\(stream.channel.rawValue) \(stream.symbol.text)")
    }
    return bytes
  }

  init?(_ bytes: ByteBuffer) {
    guard bytes.readableBytes <= TapeWants.maximumBytes else { return nil }
    let lines = String(buffer: bytes).split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard lines.count <= TapeWants.maximumStreams + 1, head.count == 2,
      let server = ServerName(head[0]), head[1] == "0" || head[1] == "1"
    else { return nil }
    var streams: Set<Subscription> = []
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let channel = Channel(rawValue: String(words[0])),
        let symbol = Symbol(String(words[1]))
      else { return nil }
      streams.insert(Subscription(channel, symbol))
    }
    self.init(server: server, isWhole: head[1] == "1", streams: streams)
  }
}

/// The union of all servers' wanted streams of one venue; streams not repeated by a server expire.
///
/// A peer of the bus can send any number of servers and streams, so servers, the streams of each
/// and their sum are bounded. A stream beyond the sum is rejected until there is room, and
/// requested again with the server's next message.
struct WantBoard {
  /// The repeat interval of servers, in milliseconds.
  static let repeatMilliseconds: Int64 = 5000
  /// How long a server's message is valid, in milliseconds.
  static let holdMilliseconds: Int64 = 15_000
  static let maximumServers = 256
  /// The maximum number of streams of all servers: several times the topics of a venue's
  /// connection, since the session starts them by its own budget.
  static let maximumStreams = 2048

  struct Outcome: Equatable {
    var isChanged = false
    /// Streams without room.
    var refused = 0
  }

  private(set) var streams: Set<Subscription> = []
  /// The number of servers per stream.
  private var counts: [Subscription: Int] = [:]
  private var servers: [ServerName: (streams: Set<Subscription>, until: MonotonicTime)] = [:]

  /// Applies a server's wanted streams.
  ///
  /// O(changes).
  mutating func receive(_ wants: TapeWants, at now: MonotonicTime) -> Outcome {
    let known = servers[wants.server]
    guard known != nil || servers.count < WantBoard.maximumServers else {
      return Outcome(refused: wants.streams.count)
    }
    var outcome = Outcome()
    var accepted = known?.streams ?? []
    for stream in accepted.subtracting(wants.streams) {
      accepted.remove(stream)
      if remove(stream) { outcome.isChanged = true }
    }
    for stream in wants.streams.subtracting(accepted).sorted() {
      if streams.contains(stream) {
        counts[stream, default: 0] += 1
      } else if streams.count < WantBoard.maximumStreams {
        streams.insert(stream)
        counts[stream] = 1
        outcome.isChanged = true
      } else {
        outcome.refused += 1
        continue
      }
      accepted.insert(stream)
    }
    servers[wants.server] = (accepted, now.adding(milliseconds: WantBoard.holdMilliseconds))
    return outcome
  }

  /// Drops what was not repeated; returns whether ``streams`` has changed.
  mutating func expire(at now: MonotonicTime) -> Bool {
    var isChanged = false
    for (server, wanted) in servers where wanted.until <= now {
      servers[server] = nil
      for stream in wanted.streams where remove(stream) { isChanged = true }
    }
    return isChanged
  }

  /// Returns whether no server requests it any more.
  private mutating func remove(_ stream: Subscription) -> Bool {
    let count = counts[stream, default: 1] - 1
    counts[stream] = count > 0 ? count : nil
    if count <= 0 { streams.remove(stream) }
    return count <= 0
  }
}
