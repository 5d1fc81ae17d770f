// Which streams a server wants, said to the reader: as a wish that is to be kept up, and as part of
// the question for a checkpoint.

import MarketModel
import NIOCore
import VenueProtocols

/// The streams that one server wants of a venue.
struct TapeWants: Equatable {
  /// More than a server can want.
  static let maximumStreams = 8192
  /// Longer than any list of so many.
  static let maximumBytes = 1 << 20

  let server: ServerName
  /// For a question, whether the answer is to start a session; false for a wish.
  var isWhole = false
  let streams: Set<Subscription>

  init(server: ServerName, isWhole: Bool = false, streams: Set<Subscription>) {
    self.server = server
    self.isWhole = isWhole
    // How rows are grouped is no business of the venue's.
    self.streams = Set(streams.map { Subscription($0.channel, $0.symbol) })
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

/// What all servers want of one venue, summed; a wish that is not kept up ends.
struct WantBoard {
  /// How often a server repeats what it wants, in milliseconds.
  static let repeatMilliseconds: Int64 = 5000
  /// How long a wish stands, in milliseconds.
  static let standMilliseconds: Int64 = 15_000
  /// Servers whose wishes are kept.
  static let maximumServers = 256

  private var wishes: [ServerName: (streams: Set<Subscription>, until: MonotonicTime)] = [:]

  /// All streams that somebody wants.
  var streams: Set<Subscription> { wishes.values.reduce(into: []) { $0.formUnion($1.streams) } }

  /// Takes a wish; one of yet another server beyond those that are kept is left out.
  mutating func take(_ wants: TapeWants, at now: MonotonicTime) {
    guard wishes[wants.server] != nil || wishes.count < WantBoard.maximumServers else { return }
    wishes[wants.server] = (wants.streams, now.adding(milliseconds: WantBoard.standMilliseconds))
  }

  /// Ends the wishes that were not kept up; whether there were any.
  mutating func expire(at now: MonotonicTime) -> Bool {
    let over = wishes.filter { $0.value.until <= now }
    for server in over.keys { wishes[server] = nil }
    return !over.isEmpty
  }
}
