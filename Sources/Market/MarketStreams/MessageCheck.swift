import MarketModel
import VenueProtocols

/// Examines a venue's raw messages: their order, their rhythm and their times.
struct MessageCheck: Sendable {
  /// Silence that is never a stall, in milliseconds.
  static let ordinarySilence: Int64 = 1500
  /// How much later than the promptest a message may be, in milliseconds.
  static let ordinaryDelay: Int64 = 1500
  /// How much later than the promptest all messages of ``window`` may be, in milliseconds.
  static let ordinaryWait: Int64 = 200
  /// The difference of two clocks that both count as right, in milliseconds.
  static let ordinaryOffset: Int64 = 1000
  /// How long messages are compared together, in milliseconds, and how many at least.
  private static let window: (milliseconds: Int64, count: Int) = (2000, 3)
  /// How many equal messages in a second are no heartbeats.
  private static let fewestOfFlood = 8
  /// The most streams whose numbers are compared.
  private static let maximumStreams = 256

  private let adapter: VenueAdapter
  /// Reads the times of messages.
  private let reader: any VenueSession
  private(set) var count = 0
  private(set) var largest = 0
  /// How many messages had each of the venue's traits.
  private(set) var traitCounts: [Int]

  // Order.
  private var numbers: [String: Int64] = [:]
  /// Messages that came after a later one of their stream.
  private(set) var overtaken = 0
  private var latest: [UInt8] = []
  private var equals: (since: MonotonicTime, count: Int)?
  /// Messages that came twice, though their numbers or times should differ.
  private(set) var repeated = 0
  /// Whether an equal message came too often for a heartbeat.
  private(set) var isFlooded = false

  // Rhythm.
  private var lastData: MonotonicTime?
  private(set) var longestSilence: Int64 = 0
  /// How many silences were shorter than each power of two, in milliseconds.
  private var silences = [Int](repeating: 0, count: 20)

  // Times.
  private var ages: (least: Int64, most: Int64)?
  private var current: (began: MonotonicTime, count: Int, least: Int64)?
  /// The largest of the least ages of a window, in milliseconds.
  private var longestWait: Int64?

  init(of venue: Venue) {
    adapter = venue.adapter
    reader = adapter.session(SessionSetup(origin: .venue))
    traitCounts = adapter.traits.map { _ in 0 }
  }

  /// Ends the rhythm, where fewer streams or none continue.
  mutating func pause() { lastData = nil }

  /// Ends the streams of a connection.
  mutating func disconnect() { (lastData, numbers, latest, current) = (nil, [:], [], nil) }

  /// Applies a received message; O(bytes).
  mutating func receive(_ message: [UInt8], at now: ClockReading) {
    (count, largest) = (count + 1, max(largest, message.count))
    for (index, trait) in adapter.traits.enumerated()
    where message.firstRange(of: Array(trait.text.utf8)) != nil {
      traitCounts[index] += 1
    }
    let slice = message[...]
    let number = adapter.streamNumber(of: slice.span)
    var isFirst = false
    if let number, numbers[number.stream] != nil || numbers.count < Self.maximumStreams {
      let last = numbers[number.stream] ?? .min
      isFirst = last == .min
      if number.number < last { overtaken += 1 }
      numbers[number.stream] = max(last, number.number)
    }
    var time: Timestamp?
    if case .event(let event) = reader.times(in: slice.span) { time = event }
    compare(message, isData: number != nil || time != nil, at: now.monotonic)
    // The first message of a stream may be of the past.
    if let time, !isFirst { apply(time, at: now) }
  }

  private mutating func compare(_ message: [UInt8], isData: Bool, at now: MonotonicTime) {
    defer { latest = message }
    guard message == latest else {
      equals = nil
      return
    }
    if isData { repeated += 1 }
    var run = equals ?? (now, 1)
    if now.milliseconds(since: run.since) >= 1000 { run = (now, 1) }
    run.count += 1
    if run.count >= Self.fewestOfFlood { isFlooded = true }
    equals = run
  }

  private mutating func apply(_ time: Timestamp, at now: ClockReading) {
    if let lastData {
      let silence = now.monotonic.milliseconds(since: lastData)
      longestSilence = max(longestSilence, silence)
      let power = max(1, silence).bitWidth - max(1, silence).leadingZeroBitCount
      silences[min(power, silences.count - 1)] += 1
    }
    lastData = now.monotonic
    let age = now.wall.milliseconds - time.milliseconds
    let known = ages ?? (age, age)
    ages = (min(known.least, age), max(known.most, age))
    var window = current ?? (now.monotonic, 0, age)
    if now.monotonic.milliseconds(since: window.began) >= Self.window.milliseconds {
      if window.count >= Self.window.count {
        longestWait = max(longestWait ?? window.least, window.least)
      }
      window = (now.monotonic, 0, age)
    }
    current = (window.began, window.count + 1, min(window.least, age))
  }

  /// Silence that 99 % of all are shorter than, in milliseconds, to the next power of two.
  var usualSilence: Int64 {
    let all = silences.reduce(0, +)
    var shorter = 0
    for (power, count) in silences.enumerated() {
      shorter += count
      if shorter * 100 >= all * 99 { return 1 << Int64(power) }
    }
    return .max
  }

  /// Whether the venue was silent for longer than its own rhythm explains.
  var hasStalled: Bool { longestSilence > max(Self.ordinarySilence, 4 * usualSilence) }

  /// The result of comparing the messages' times with the own clock, given a round trip.
  func times(roundTripMilliseconds trip: Int64) -> (outcome: VenueCheck.Outcome, detail: String) {
    guard let ages else { return (.unknown, "no message has a time") }
    let (least, most) = ages
    if least > Self.ordinaryOffset + trip || least < -Self.ordinaryOffset {
      return (.failed, "the venue's clock and this one differ by \(abs(least)) ms")
    }
    if most - least > Self.ordinaryDelay {
      return (.failed, "a message came \(most - least) ms later than the promptest")
    }
    if let longestWait, longestWait - least > Self.ordinaryWait {
      return (.failed, "messages came \(longestWait - least) ms later for a while")
    }
    return (.passed, "\(least) to \(most) ms old on arrival")
  }
}
