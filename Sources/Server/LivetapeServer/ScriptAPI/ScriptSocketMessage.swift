import MarketModel
import WireJSON

enum ScriptSocketMessage {
  case subscribe(ScriptSubject, request: Int64?)
  case unsubscribe(ScriptSubject, request: Int64?)
  case ping(request: Int64?)

  /// The channels, and whether each needs an instrument.
  static let channels: [(name: String, ofInstrument: Bool)] = [
    ("ticker", true), ("book", true), ("trades", true), ("candles", true),
    ("connections", false), ("orders", false), ("positions", false),
  ]

  private static let members: [String: ObjectMembers.Kind] = [
    "do": .text(32), "channel": .text(32), "instrument": .text(96), "interval": .integer,
    "request": .integer,
  ]

  init(_ bytes: [UInt8]) throws(ScriptProblem) {
    guard bytes.count <= TopicServer.maximumScriptMessageBytes else {
      throw ScriptProblem(413, "a message may have \(TopicServer.maximumScriptMessageBytes) bytes")
    }
    let members: ObjectMembers
    do throws(JSONError) {
      var cursor = JSONCursor()
      members = try ObjectMembers(bytes.span, &cursor, ScriptSocketMessage.members)
      try cursor.finish(bytes.span)
    } catch {
      throw ScriptProblem(400, "the message is not understood (\(error))")
    }
    let request = members.integers["request"]
    switch members.texts["do"] {
    case "ping":
      guard members.names.isSubset(of: ["do", "request"]) else {
        throw ScriptProblem(422, "a ping has no channel")
      }
      self = .ping(request: request)
    case "subscribe": self = .subscribe(try ScriptSocketMessage.subject(members), request: request)
    case "unsubscribe":
      self = .unsubscribe(try ScriptSocketMessage.subject(members), request: request)
    default: throw ScriptProblem(422, "do is subscribe, unsubscribe or ping")
    }
  }

  private static func subject(_ members: ObjectMembers) throws(ScriptProblem) -> ScriptSubject {
    guard let name = members.texts["channel"],
      let channel = channels.first(where: { $0.name == name })
    else { throw ScriptProblem(422, "there is no such channel") }
    guard members.integers["interval"] == nil || name == "candles" else {
      throw ScriptProblem(422, "an interval is of candles")
    }
    guard channel.ofInstrument else {
      guard members.texts["instrument"] == nil else {
        throw ScriptProblem(422, "this channel is of no instrument")
      }
      switch name {
      case "orders": return .orders
      case "positions": return .positions
      default: return .connections
      }
    }
    guard let instrument = members.texts["instrument"].flatMap(InstrumentKey.init(text:)) else {
      throw ScriptProblem(422, "this channel needs an instrument, as kraken/BTC/USD")
    }
    switch name {
    case "ticker": return .ticker(instrument)
    case "book": return .book(instrument)
    case "trades": return .trades(instrument)
    default:
      guard let interval = CandleInterval(milliseconds: members.integers["interval"] ?? 60_000)
      else {
        throw ScriptProblem(422, "there are no candles of that interval")
      }
      return .candles(instrument, interval)
    }
  }

  /// "subscribed", "unsubscribed" or "pong".
  static func done(
    _ type: String, _ subject: ScriptSubject?, request: Int64?, at now: ClockReading
  ) -> [UInt8] {
    var object = PageObject()
    object.set("type", text: type)
    if let subject { object.set(subject) }
    object.set("request", integer: request)
    object.set("at", time: now.wall)
    return object.value.json
  }

  static func problem(
    _ problem: ScriptProblem, of subject: ScriptSubject?, request: Int64?
  ) -> [UInt8] {
    var object = PageObject()
    object.set("type", text: "problem")
    if let subject { object.set(subject) }
    object.set("request", integer: request)
    object.set("problem", problem.value.value)
    return object.value.json
  }
}

extension PageObject {
  fileprivate mutating func set(_ subject: ScriptSubject) {
    switch subject {
    case .instruments: break
    case .connections: set("channel", text: "connections")
    case .orders: set("channel", text: "orders")
    case .positions: set("channel", text: "positions")
    case .ticker(let key): set("ticker", of: key)
    case .book(let key): set("book", of: key)
    case .trades(let key): set("trades", of: key)
    case .candles(let key, let interval):
      set("candles", of: key)
      set("interval", integer: interval.milliseconds)
    }
  }

  private mutating func set(_ channel: String, of key: InstrumentKey) {
    set("channel", text: channel)
    set("instrument", text: key.text)
  }
}

extension TopicServer {
  mutating func receiveFromScript(
    _ bytes: [UInt8], _ page: PageID, at now: ClockReading
  ) -> [TopicEffect] {
    let message: ScriptSocketMessage
    do {
      message = try ScriptSocketMessage(bytes)
    } catch {
      return refuse(error, of: nil, request: nil, page)
    }
    switch message {
    case .ping(let request):
      return [.send(page, ScriptSocketMessage.done("pong", nil, request: request, at: now))]
    case .unsubscribe(let subject, let request):
      return lookAway(from: subject, for: page, at: now)
        + [
          .send(page, ScriptSocketMessage.done("unsubscribed", subject, request: request, at: now))
        ]
    case .subscribe(let subject, let request):
      let open = pages[page]?.topics ?? [:]
      guard open[subject.topic] != nil || open.count < TopicServer.maximumTopicsPerPage else {
        let sentence = "a socket may have \(TopicServer.maximumTopicsPerPage) subscriptions"
        return refuse(ScriptProblem(429, sentence), of: subject, request: request, page)
      }
      guard hasRoom(for: subject.topic, on: page) else {
        let sentence =
          "\(TopicServer.maximumTopicsPerVisitor) subscriptions are open from your address"
        return refuse(ScriptProblem(429, sentence), of: subject, request: request, page)
      }
      var effects: [TopicEffect] = []
      guard look(at: subject, for: page, at: now, into: &effects) else {
        return refuse(.unknownInstrument, of: subject, request: request, page)
      }
      let done = ScriptSocketMessage.done("subscribed", subject, request: request, at: now)
      return [.send(page, done)] + effects
    }
  }

  private mutating func refuse(
    _ problem: ScriptProblem, of subject: ScriptSubject?, request: Int64?, _ page: PageID
  ) -> [TopicEffect] {
    pages[page]?.errors += 1
    let words = ScriptSocketMessage.problem(problem, of: subject, request: request)
    let isEnough = (pages[page]?.errors ?? 0) >= TopicServer.maximumErrors
    return [.send(page, words)]
      + (isEnough ? [.close(page, code: 1008, reason: "too many errors")] : [])
  }
}
