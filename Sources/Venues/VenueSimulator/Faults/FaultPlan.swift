/// The faults of a simulated venue; the empty plan changes nothing.
///
/// Messages are numbered for each connection from 1, the greeting included. A fault at a number
/// comes before the chances; at most one fault affects a message.
public struct FaultPlan: Sendable, Equatable {
  /// A fault of one message.
  public enum Fault: Sendable, Hashable {
    /// It is lost.
    case drop
    /// It comes twice.
    case duplicate
    /// It comes after the next one (alone, after half a second, when no other follows).
    case reorder
    /// It and all that follow come this many milliseconds later, in order.
    case delay(milliseconds: Int64)
    /// Its end is missing.
    case truncate
    /// One of its bytes is another printable ASCII character.
    case corrupt
    /// Its checksum is wrong; a message without one is unchanged.
    case checksum
  }

  /// How a connection that still appears open stays silent.
  public enum Silence: Sendable, Equatable {
    /// Nothing comes any more, not even pongs: a half-open connection.
    case everything
    /// Only pongs come.
    case allButPongs
  }

  /// A fault that affects messages at random.
  public struct Chance: Sendable, Equatable {
    /// The fault.
    public let fault: Fault
    /// How many of a million messages it affects, 0 to 1,000,000.
    public let perMillion: Int64

    /// Creates a chance; `perMillion` is clamped to its range.
    public init(_ fault: Fault, perMillion: Int64) {
      self.fault = fault
      self.perMillion = min(max(0, perMillion), 1_000_000)
    }
  }

  /// A fault that affects HTTP responses at random.
  public struct ResponseChance: Sendable, Equatable {
    /// The fault.
    public let fault: ResponseFault
    /// How many of a million responses it affects, 0 to 1,000,000.
    public let perMillion: Int64

    /// Creates a chance; `perMillion` is clamped to its range.
    public init(_ fault: ResponseFault, perMillion: Int64) {
      self.fault = fault
      self.perMillion = min(max(0, perMillion), 1_000_000)
    }
  }

  /// A plan without faults.
  public static let none = FaultPlan()

  /// Random faults; the first one drawn affects the message.
  public var chances: [Chance]
  /// Faults at message numbers.
  public var faults: [Int: Fault]
  /// The number of the last message before a connection falls silent; nil for never.
  public var silentAfter: Int?
  /// How it is silent.
  public var silence: Silence
  /// The number of the last message before a connection is cut; nil for never.
  public var cutAfter: Int?
  /// Statuses by which the next connections are refused, in order: 401, 429, 503.
  public var refusals: [Int]

  /// The faults of the next HTTP responses, in order; nil leaves one unchanged.
  public var responses: [ResponseFault?]
  /// Random faults of HTTP responses, once ``responses`` is empty.
  public var responseChances: [ResponseChance]
  /// The start of a Kraken candle whose volume is falsified, in milliseconds since 1970; nil for
  /// none.
  public var tamperedCandle: Int64?

  /// Creates a plan.
  public init(
    chances: [Chance] = [], faults: [Int: Fault] = [:], silentAfter: Int? = nil,
    silence: Silence = .everything, cutAfter: Int? = nil, refusals: [Int] = [],
    responses: [ResponseFault?] = [], responseChances: [ResponseChance] = [],
    tamperedCandle: Int64? = nil
  ) {
    self.responses = responses
    self.responseChances = responseChances
    self.tamperedCandle = tamperedCandle
    self.chances = chances
    self.faults = faults
    self.silentAfter = silentAfter
    self.silence = silence
    self.cutAfter = cutAfter
    self.refusals = refusals
  }

  var leavesResponsesAlone: Bool {
    responses.isEmpty && responseChances.isEmpty && tamperedCandle == nil
  }

  var leavesMessagesAlone: Bool {
    chances.isEmpty && faults.isEmpty && silentAfter == nil && cutAfter == nil
  }
}
