// Which streams a server wants: published to the reader, repeated as long as they are wanted, and
// part of the request for a checkpoint.

import MarketModel
import NIOCore
import VenueProtocols

/// The streams that one server wants of a venue.
struct TapeWants: Equatable {
  /// The most streams of one server: more than a venue's connection has topics.
  static let maximumStreams = 1024
  /// Longer than any list of so many.
  static let maximumBytes = 64 << 10

  let server: ServerName
  /// For a request, whether the response is to start a session; false for what is wanted.
  var isWhole = false
  let streams: Set<Subscription>

  /// Names at most ``maximumStreams``; the caller chooses them by ``bounded(_:keeping:)``.
  init(server: ServerName, isWhole: Bool = false, streams: Set<Subscription>) {
    self.server = server
    self.isWhole = isWhole
    // The venue has no part in how rows are grouped.
    self.streams = TapeWants.bounded(
      Set(streams.map { Subscription($0.channel, $0.symbol) }), keeping: [])
  }

  /// As many streams as one server may want: those that it has first, the others in their order.
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

  /// Reads what ``bytes`` wrote; nil when it is something else.
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

/// What all servers want of one venue, summed; what a server does not repeat ends.
///
/// A peer of the bus can name as many servers and streams as it likes, so servers, the streams of
/// each and their sum are bounded. A stream beyond the sum is refused until there is room, and
/// requested again with the server's next message.
struct WantBoard {
  /// How often a server repeats what it wants, in milliseconds.
  static let repeatMilliseconds: Int64 = 5000
  /// How long it holds, in milliseconds.
  static let holdMilliseconds: Int64 = 15_000
  /// The most servers.
  static let maximumServers = 256
  /// The most streams of all servers together: several times what a venue's connection has topics
  /// for, since the session starts them by its own budget.
  static let maximumStreams = 2048

  /// What became of a server's message.
  struct Outcome: Equatable {
    /// Whether ``streams`` is another set now.
    var isChanged = false
    /// Streams that there was no room for.
    var refused = 0
  }

  /// All streams that a server wants.
  private(set) var streams: Set<Subscription> = []
  /// How many servers want each.
  private var counts: [Subscription: Int] = [:]
  private var servers: [ServerName: (streams: Set<Subscription>, until: MonotonicTime)] = [:]

  /// Applies what a server wants; O(what has changed for it).
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

  /// Ends what was not repeated; returns whether ``streams`` is another set now.
  mutating func expire(at now: MonotonicTime) -> Bool {
    var isChanged = false
    for (server, wanted) in servers where wanted.until <= now {
      servers[server] = nil
      for stream in wanted.streams where remove(stream) { isChanged = true }
    }
    return isChanged
  }

  /// Returns whether no server wants it any more.
  private mutating func remove(_ stream: Subscription) -> Bool {
    let count = counts[stream, default: 1] - 1
    counts[stream] = count > 0 ? count : nil
    if count <= 0 { streams.remove(stream) }
    return count <= 0
  }
}
