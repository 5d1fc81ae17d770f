import MarketModel
import MarketStreams
import MessageBus
import NIOCore
import WireJSON

/// The pulse of a reader: its state and its connection's.
struct TapePulse: Equatable {
  let epoch: UInt64
  /// The latest record of the epoch; 0 before the first.
  let number: UInt64
  /// Whether the session with the venue is open: between its records `opened` and `closed`.
  let isOpen: Bool
  /// Whether the venue rejects the reader's location or address; never while it is open.
  let rejectsLocation: Bool
  let phase: ConnectionPhase
  let origin: DataOrigin
  /// From the venue's latest pong; nil if none was measured.
  let roundTripMicroseconds: Int64?
  /// The venue's response delay in milliseconds, if it is too long for live data; otherwise nil.
  let delayMilliseconds: Int64?
  /// The venue's clock less the reader's, from the venue's responses; nil if unknown.
  let venueClock: ClockEstimate?
  /// Why it is not live, for the user; nil if it is.
  let reason: Sentence?

  /// "epoch number state phase origin roundTrip delay clock", a tab, the reason as JSON.
  ///
  /// The state is 1 for open, 0 for closed, 2 for closed by a venue that rejects the location.
  var bytes: ByteBuffer {
    let trip = roundTripMicroseconds.map { "\($0)" } ?? "-"
    let delay = delayMilliseconds.map { "\($0)" } ?? "-"
    let state = isOpen ? 1 : rejectsLocation ? 2 : 0
    return ByteBuffer(
      string: "\(epoch) \(number) \(state) \(phase.rawValue) \(origin.rawValue) \(trip) "
        + "\(delay) \(venueClock.map(ClockWord.text) ?? "-")\t" + (reason?.jsonText ?? ""))
  }

  init(
    epoch: UInt64, number: UInt64, isOpen: Bool, rejectsLocation: Bool = false,
    phase: ConnectionPhase, origin: DataOrigin,
    roundTripMicroseconds: Int64?, delayMilliseconds: Int64? = nil,
    venueClock: ClockEstimate? = nil, reason: Sentence?
  ) {
    (self.epoch, self.number, self.isOpen) = (epoch, number, isOpen)
    (self.rejectsLocation, self.phase, self.origin) = (rejectsLocation, phase, origin)
    (self.roundTripMicroseconds, self.venueClock) = (roundTripMicroseconds, venueClock)
    self.delayMilliseconds = delayMilliseconds
    self.reason = reason
  }

  init?(_ bytes: ByteBuffer) {
    guard let (words, sentence) = BusPulse.parts(of: bytes, words: 8), let epoch = UInt64(words[0]),
      let number = UInt64(words[1]), ["0", "1", "2"].contains(words[2]),
      let phase = ConnectionPhase(rawValue: String(words[3])),
      let origin = DataOrigin(rawValue: String(words[4])),
      words[5] == "-" || Int64(words[5]).map({ $0 >= 0 }) == true,
      words[6] == "-" || Int64(words[6]).map({ $0 > 0 }) == true,
      case let clock = ClockWord.estimate(words[7]), words[7] == "-" || clock != nil,
      case let reason = Sentence(json: Array(sentence.utf8)), sentence.isEmpty || reason != nil
    else { return nil }
    self.init(
      epoch: epoch, number: number, isOpen: words[2] == "1", rejectsLocation: words[2] == "2",
      phase: phase, origin: origin,
      roundTripMicroseconds: Int64(words[5]), delayMilliseconds: Int64(words[6]),
      venueClock: clock,
      reason: reason)
  }
}
