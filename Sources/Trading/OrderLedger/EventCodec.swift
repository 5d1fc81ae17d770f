import MarketModel
import PaperTrading
import WireJSON

/// Encodes and decodes events: JSON with fixed keys in a fixed order, integers and no whitespace.
///
/// An event has exactly one text, so any tool can check its hash. The decoder accepts only that
/// text.
///
///     {"v":1,"sequence":2,"time":1790000000000000000,"event":"filled","order":1,"quantity":60,…}
enum EventCodec {
  /// The ASCII text of an event.
  static func encode(_ event: OrderEvent) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("v", 1)
      json.member("sequence", event.sequence)
      json.member("time", event.time.nanoseconds)
      json.key("event")
      switch event.change {
      case .accepted(let placement):
        json.string("accepted")
        write(placement, to: &json)
      case .rejected(let placement, let reason):
        let (code, values) = reason.stored
        json.string("rejected")
        write(placement, to: &json)
        json.member("reason", code)
        json.key("values")
        write(values, to: &json)
      case .arrived(let order, let market):
        json.string("arrived")
        json.member("order", order.number)
        json.key("market")
        write(market, to: &json)
      case .requested(let order, let change):
        json.string("requested")
        json.member("order", order.number)
        write(change, to: &json)
      case .filled(let order, let fill):
        json.string("filled")
        json.member("order", order.number)
        write(fill, to: &json)
      case .amended(let order, let amendment):
        json.string("amended")
        json.member("order", order.number)
        write(amendment, to: &json)
      case .cancelled(let order, let cancellation):
        json.string("cancelled")
        json.member("order", order.number)
        write(cancellation, to: &json)
      case .possible(let order, let rise):
        json.string("possible")
        json.member("order", order.number)
        json.member("upTo", rise.upTo.units)
        if let proof = rise.proof { write(proof, to: &json) }
        if let missed = rise.missed {
          json.key("missed")
          write([missed.from.nanoseconds, missed.to.nanoseconds], to: &json)
        }
      case .triggered(let order, let activation):
        json.string("triggered")
        json.member("order", order.number)
        write(activation.proof, to: &json)
        if activation.isLate { json.member("late", 1) }
        if let quantity = activation.quantity { json.member("quantity", quantity.units) }
        json.key("market")
        write(activation.market, to: &json)
      case .trailed(let order, let move):
        json.string("trailed")
        json.member("order", order.number)
        json.member("best", move.best.units)
        json.member("number", move.number)
        json.member("stop", move.trigger.units)
      case .listed(let rules):
        json.string("listed")
        write(rules, to: &json)
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Decodes a text; throws unless it is exactly what ``encode(_:)`` writes.
  static func decode(_ text: String) throws(JSONError) -> OrderEvent {
    var reader = PayloadReader(text)
    let event = try reader.object { members throws(JSONError) in
      guard try members.integer("v") == 1 else { throw members.unreadable }
      let sequence = try members.unsigned("sequence")
      let time = Timestamp(nanoseconds: try members.integer("time"))
      return OrderEvent(sequence: sequence, time: time, change: try change(&members))
    }
    try reader.finish()
    // Whitespace, escapes and other spellings of the same values are damage.
    guard encode(event).utf8.elementsEqual(text.utf8) else { throw reader.unreadable }
    return event
  }

  /// The client identifier of an event that places or amends an order; nil for other events.
  static func clientIdentifier(of event: OrderEvent) -> String? {
    switch event.change {
    case .accepted(let placement), .rejected(let placement, _):
      placement.request.clientIdentifier.text
    case .amended(_, let amendment): amendment.clientIdentifier.text
    case .arrived, .requested, .filled, .cancelled, .possible, .triggered, .trailed, .listed: nil
    }
  }
}

// MARK: - Reading

extension EventCodec {
  static func change(_ members: inout PayloadReader) throws(JSONError) -> OrderEvent.Change {
    switch try members.string("event") {
    case "accepted": return .accepted(try placement(&members))
    case "rejected":
      let placement = try placement(&members)
      let code = try members.string("reason")
      let values = try members.integers("values")
      guard let reason = RejectionReason(code: code, values: values) else {
        throw members.unreadable
      }
      return .rejected(placement, reason)
    case "arrived":
      let order = try order(&members)
      return .arrived(order, try members.optional("market", topOfBook))
    case "requested":
      let order = try order(&members)
      return .requested(order, try request(of: order, &members))
    case "filled": return .filled(try order(&members), try fill(&members))
    case "amended": return .amended(try order(&members), try amendment(&members))
    case "cancelled": return .cancelled(try order(&members), try cancellation(&members))
    case "possible":
      let order = try order(&members)
      let upTo = Quantity(units: try members.integer("upTo"))
      let proof = try proof(&members)
      return .possible(order, PossibleFill(upTo: upTo, proof: proof, missed: try missed(&members)))
    case "triggered":
      let order = try order(&members)
      guard let proof = try proof(&members) else { throw members.unreadable }
      let isLate = members.isNext("late") ? try members.integer("late") == 1 : false
      let quantity =
        members.isNext("quantity") ? Quantity(units: try members.integer("quantity")) : nil
      return .triggered(
        order,
        Activation(
          proof: proof, isLate: isLate, market: try members.optional("market", topOfBook),
          quantity: quantity))
    case "trailed":
      let order = try order(&members)
      let best = Price(units: try members.integer("best"))
      let number = try members.integer("number")
      let trigger = Price(units: try members.integer("stop"))
      return .trailed(order, TrailMove(best: best, number: number, trigger: trigger))
    case "listed": return .listed(try rules(&members))
    default: throw members.unreadable
    }
  }

  private static func placement(_ members: inout PayloadReader) throws(JSONError) -> Placement {
    let identifier = try order(&members)
    guard let client = ClientOrderIdentifier(try members.string("client")) else {
      throw members.unreadable
    }
    guard let symbol = Symbol(try members.string("symbol")) else { throw members.unreadable }
    guard let side = Side(rawValue: try members.string("side")) else { throw members.unreadable }
    let limit = try members.optional("limit") { value throws(JSONError) in
      Price(units: try value.integer())
    }
    let kind = try kind(limit: limit, &members)
    let trigger = try trigger(&members)
    let (exits, link) = (try exits(&members), try link(&members))
    let terms = try terms(&members)
    let quantity = Quantity(units: try members.integer("quantity"))
    let arrival = try members.optional("arrival", topOfBook)
    let latency = members.isNext("latency") ? try members.integer("latency") : 0
    guard (0...OrderLatency.maximumMilliseconds).contains(latency) else { throw members.unreadable }
    let request = OrderRequest(
      clientIdentifier: client, symbol: symbol, side: side, kind: kind, quantity: quantity,
      trigger: trigger, exits: exits, link: link, terms: terms)
    return Placement(
      identifier: identifier, request: request, arrival: arrival, latencyMilliseconds: latency)
  }

  /// The order type; optional members follow the limit.
  private static func kind(
    limit: Price?, _ members: inout PayloadReader
  ) throws(JSONError) -> OrderType {
    guard let limit else {
      guard members.isNext("protection") else { return .market }
      return .protectedMarket(Price(units: try members.integer("protection")))
    }
    guard members.isNext("timeInForce") else { return .limit(limit) }
    switch TimeInForce(rawValue: try members.string("timeInForce")) {
    case .immediateOrCancel: return .immediateOrCancel(limit)
    case .fillOrKill: return .fillOrKill(limit)
    case .goodTillCancelled, nil: throw members.unreadable
    }
  }

  static func trigger(_ members: inout PayloadReader) throws(JSONError) -> Trigger? {
    if members.isNext("stop") {
      return Trigger(.stop, at: Price(units: try members.integer("stop")))
    }
    if members.isNext("trail") {
      let trail = Trail.distance(Price(units: try members.integer("trail")))
      return Trigger(.stop, at: Price(units: 0), trail: trail)
    }
    if members.isNext("trailBasisPoints") {
      let trail = Trail.basisPoints(try members.integer("trailBasisPoints"))
      return Trigger(.stop, at: Price(units: 0), trail: trail)
    }
    if members.isNext("takeProfit") {
      return Trigger(.takeProfit, at: Price(units: try members.integer("takeProfit")))
    }
    return nil
  }

  /// `"oco":[stop,0]`, or `"bracket":[stop,takeProfit]` with 0 for none.
  private static func exits(_ members: inout PayloadReader) throws(JSONError) -> Exits? {
    for kind in Exits.Kind.allCases where members.isNext(key(of: kind)) {
      let values = try members.integers(key(of: kind))
      guard values.count == 2 else { throw members.unreadable }
      let prices = values.map { $0 == 0 ? nil : Price(units: $0) }
      return Exits(kind, stop: prices[0], takeProfit: prices[1])
    }
    return nil
  }

  private static func key(of kind: Exits.Kind) -> StaticString { kind == .oco ? "oco" : "bracket" }

  private static func link(_ members: inout PayloadReader) throws(JSONError) -> OrderLink? {
    if members.isNext("ocoWith") {
      return OrderLink(.oco, to: OrderIdentifier(number: try members.unsigned("ocoWith")))
    }
    if members.isNext("exitOf") {
      return OrderLink(.bracket, to: OrderIdentifier(number: try members.unsigned("exitOf")))
    }
    return nil
  }

  private static func terms(_ members: inout PayloadReader) throws(JSONError) -> OrderTerms {
    let isPostOnly = members.isNext("postOnly") ? try members.integer("postOnly") == 1 : false
    let isReduceOnly = members.isNext("reduceOnly") ? try members.integer("reduceOnly") == 1 : false
    let expiry =
      members.isNext("expires") ? Timestamp(nanoseconds: try members.integer("expires")) : nil
    return OrderTerms(isPostOnly: isPostOnly, isReduceOnly: isReduceOnly, expiry: expiry)
  }

  private static func missed(_ members: inout PayloadReader) throws(JSONError) -> MissedSpan? {
    guard members.isNext("missed") else { return nil }
    let values = try members.integers("missed")
    guard values.count == 2 else { throw members.unreadable }
    return MissedSpan(
      from: Timestamp(nanoseconds: values[0]), to: Timestamp(nanoseconds: values[1]))
  }

  private static func fill(_ members: inout PayloadReader) throws(JSONError) -> OrderFill {
    OrderFill(
      quantity: Quantity(units: try members.integer("quantity")),
      price: Price(units: try members.integer("price")),
      offered: Quantity(units: try members.integer("offered")),
      tickNumber: try members.unsigned("tick"), venueTime: try members.unsigned("venueTime"),
      fee: try fee(&members), proof: try proof(&members))
  }

  private static func fee(_ members: inout PayloadReader) throws(JSONError) -> FillFee? {
    if members.isNext("maker") {
      return FillFee(isMaker: true, amount: try members.integer("maker"))
    }
    if members.isNext("taker") {
      return FillFee(isMaker: false, amount: try members.integer("taker"))
    }
    return nil
  }

  private static func proof(_ members: inout PayloadReader) throws(JSONError) -> TradeProof? {
    guard members.isNext("trade") else { return nil }
    let values = try members.integers("trade")
    guard values.count == 3 || values.count == 4 else { throw members.unreadable }
    return TradeProof(
      number: values[0], price: Price(units: values[1]), quantity: Quantity(units: values[2]),
      ahead: values.count == 4 ? Quantity(units: values[3]) : nil)
  }

  private static func rules(_ members: inout PayloadReader) throws(JSONError) -> TradingRules {
    guard let symbol = Symbol(try members.string("symbol")) else { throw members.unreadable }
    let currency = try members.string("currency")
    let priceScale = try scale("priceScale", &members)
    let tick = Price(units: try members.integer("tick"))
    let maximumPrice = Price(units: try members.integer("maximumPrice"))
    let quantityScale = try scale("quantityScale", &members)
    let rules = TradingRules(
      symbol: symbol, priceScale: priceScale, tick: tick, maximumPrice: maximumPrice,
      quantityScale: quantityScale, lot: Quantity(units: try members.integer("lot")),
      maximumQuantity: Quantity(units: try members.integer("maximumQuantity")),
      currency: currency)
    guard let rules else { throw members.unreadable }
    return rules
  }

  private static func scale(
    _ key: StaticString, _ members: inout PayloadReader
  ) throws(JSONError) -> Scale {
    guard let digits = Int(exactly: try members.integer(key)), let scale = Scale(digits: digits)
    else { throw members.unreadable }
    return scale
  }

  private static func amendment(_ members: inout PayloadReader) throws(JSONError) -> Amendment {
    guard let client = ClientOrderIdentifier(try members.string("client")) else {
      throw members.unreadable
    }
    let limit = try members.optional("limit") { value throws(JSONError) in
      Price(units: try value.integer())
    }
    let trigger = try trigger(&members)
    return Amendment(
      clientIdentifier: client, quantity: Quantity(units: try members.integer("quantity")),
      limit: limit, trigger: trigger)
  }

  private static func cancellation(
    _ members: inout PayloadReader
  ) throws(JSONError) -> Cancellation {
    guard let reason = Cancellation.Reason(rawValue: try members.string("reason")) else {
      throw members.unreadable
    }
    return Cancellation(
      reason: reason, level: try members.optional("offer", level),
      available: Quantity(units: try members.integer("available")))
  }

  private static func order(_ members: inout PayloadReader) throws(JSONError) -> OrderIdentifier {
    OrderIdentifier(number: try members.unsigned("order"))
  }

  private static func level(_ value: inout PayloadReader) throws(JSONError) -> PriceLevel {
    let values = try value.integers()
    guard values.count == 2 else { throw value.unreadable }
    return PriceLevel(price: Price(units: values[0]), quantity: Quantity(units: values[1]))
  }

  private static func topOfBook(_ value: inout PayloadReader) throws(JSONError) -> TopOfBook {
    try value.object { members throws(JSONError) in
      TopOfBook(
        number: try members.unsigned("tick"), venueTime: try members.unsigned("venueTime"),
        bid: try members.optional("bid", level), ask: try members.optional("ask", level))
    }
  }
}

// MARK: - Writing

extension EventCodec {
  static func write(_ placement: Placement, to json: inout JSONWriter) {
    let request = placement.request
    json.member("order", placement.identifier.number)
    json.member("client", request.clientIdentifier.text)
    json.member("symbol", request.symbol.text)
    json.member("side", request.side.rawValue)
    json.key("limit")
    if let limit = request.kind.limit { json.integer(limit.units) } else { json.null() }
    // Members added in later versions are written only when set, so the text of older events does
    // not change.
    if let protection = request.kind.protection { json.member("protection", protection.units) }
    if request.kind.limit != nil, !request.kind.mayRest {
      json.member("timeInForce", request.kind.timeInForce.rawValue)
    }
    write(request.trigger, to: &json)
    if let exits = request.exits {
      json.key(exits.kind == .oco ? "oco" : "bracket")
      write([exits.stop?.units ?? 0, exits.takeProfit?.units ?? 0], to: &json)
    }
    if let link = request.link {
      json.member(link.kind == .oco ? "ocoWith" : "exitOf", link.primary.number)
    }
    if request.terms.isPostOnly { json.member("postOnly", 1) }
    if request.terms.isReduceOnly { json.member("reduceOnly", 1) }
    if let expiry = request.terms.expiry { json.member("expires", expiry.nanoseconds) }
    json.member("quantity", request.quantity.units)
    json.key("arrival")
    write(placement.arrival, to: &json)
    if placement.latencyMilliseconds > 0 {
      json.member("latency", placement.latencyMilliseconds)
    }
  }

  static func write(_ trigger: Trigger?, to json: inout JSONWriter) {
    guard let trigger else { return }
    switch trigger.trail {
    case .distance(let price): json.member("trail", price.units)
    case .basisPoints(let points): json.member("trailBasisPoints", points)
    case nil:
      switch trigger.kind {
      case .stop: json.member("stop", trigger.price.units)
      case .takeProfit: json.member("takeProfit", trigger.price.units)
      }
    }
  }

  static func write(_ fill: OrderFill, to json: inout JSONWriter) {
    json.member("quantity", fill.quantity.units)
    json.member("price", fill.price.units)
    json.member("offered", fill.offered.units)
    json.member("tick", fill.tickNumber)
    json.member("venueTime", fill.venueTime)
    if let fee = fill.fee { json.member(fee.isMaker ? "maker" : "taker", fee.amount) }
    if let proof = fill.proof { write(proof, to: &json) }
  }

  /// `"trade":[number,price,quantity]`, and the queue that had traded before.
  private static func write(_ proof: TradeProof, to json: inout JSONWriter) {
    json.key("trade")
    let values = [proof.number, proof.price.units, proof.quantity.units]
    write(values + (proof.ahead.map { [$0.units] } ?? []), to: &json)
  }

  private static func write(_ rules: TradingRules, to json: inout JSONWriter) {
    json.member("symbol", rules.symbol.text)
    json.member("currency", rules.currency ?? "")
    json.member("priceScale", rules.priceScale.digits)
    json.member("tick", rules.tick.units)
    json.member("maximumPrice", rules.maximumPrice.units)
    json.member("quantityScale", rules.quantityScale.digits)
    json.member("lot", rules.lot.units)
    json.member("maximumQuantity", rules.maximumQuantity.units)
  }

  static func write(_ amendment: Amendment, to json: inout JSONWriter) {
    json.member("client", amendment.clientIdentifier.text)
    json.key("limit")
    if let limit = amendment.limit { json.integer(limit.units) } else { json.null() }
    write(amendment.trigger, to: &json)
    json.member("quantity", amendment.quantity.units)
  }

  static func write(_ cancellation: Cancellation, to json: inout JSONWriter) {
    json.member("reason", cancellation.reason.rawValue)
    json.key("offer")
    write(cancellation.level, to: &json)
    json.member("available", cancellation.available.units)
  }

  static func write(_ values: [Int64], to json: inout JSONWriter) {
    json.array(values) { $0.integer($1) }
  }

  private static func write(_ level: PriceLevel?, to json: inout JSONWriter) {
    guard let level else { return json.null() }
    write([level.price.units, level.quantity.units], to: &json)
  }

  private static func write(_ top: TopOfBook?, to json: inout JSONWriter) {
    guard let top else { return json.null() }
    json.object { json in
      json.member("tick", top.number)
      json.member("venueTime", top.venueTime)
      json.key("bid")
      write(top.bid, to: &json)
      json.key("ask")
      write(top.ask, to: &json)
    }
  }
}
