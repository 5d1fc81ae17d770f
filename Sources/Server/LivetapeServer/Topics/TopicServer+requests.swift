import AppState
package import MarketModel
import WireJSON

extension TopicServer {
  /// Handles a page's message.
  package mutating func receive(
    _ bytes: [UInt8], from page: PageID, at now: ClockReading
  ) -> [TopicEffect] {
    let limit = TopicServer.maximumMessagesPerSecond
    guard let quick = pages[page]?.countMessage(at: now, limit: limit)
    else { return [] }
    guard quick else { return [.close(page, code: 1008, reason: "too many messages")] }
    if pages[page]?.reader == .script { return receiveFromScript(bytes, page, at: now) }
    do {
      return try handle(PageRequest(bytes.span), from: page, at: now)
    } catch {
      return refuse(error, page)
    }
  }

  private mutating func handle(
    _ request: PageRequest, from page: PageID, at now: ClockReading
  ) throws(PageRequestError) -> [TopicEffect] {
    if pages[page]?.isViewer == true, request.changesSomething {
      return try refuseChange(request, page)
    }
    switch request {
    case .ping(let number):
      guard pages[page]?.isBehind == true else {
        return [.send(page, pong(number, to: page, at: now))]
      }
      pages[page]?.ping = number
      return []
    case .orders(let ask): return pass(ask, from: page)
    case .lists(let command): return change(command, from: page, at: now)
    case .alerts(let command): return pages[page] == nil ? [] : [.change(page, command)]
    case .measured(let report): return take(report, from: page, at: now)
    case .faults(let command): return pages[page] == nil ? [] : [.inject(page, command)]
    case .action(let name, let argument): return try perform(name, argument, at: now)
    case .frames(let milliseconds):
      pages[page]?.pacer.intervalMilliseconds = milliseconds
      return []
    case .documents:
      pages[page]?.fetchesDocuments = true
      return []
    case .topics(let open, let close):
      let closed = close.flatMap { self.close($0, for: page, at: now) }
      return closed + self.open(open, for: page, at: now)
    }
  }

  private mutating func open(
    _ names: [String], for page: PageID, at now: ClockReading
  ) -> [TopicEffect] {
    guard !names.isEmpty else { return [] }
    var effects: [TopicEffect] = []
    for name in names {
      if let excess = excess(of: name, for: page) {
        effects += refuse(excess, page, topic: name)
      } else if name.utf8.count > PageRequest.maximumNameBytes
        || name.hasPrefix(ScriptSubject.prefix) || !exists(name)
      {
        effects += refuse(unknownTopic, page, topic: name)
      } else if !hasRoom(for: name, on: page) {
        effects += queue(name, for: page)
      } else {
        _ = open(name, for: page, at: now, into: &effects)
      }
    }
    // New streams deliver their values shortly: wait for them to send a single frame.
    let isNew = effects.contains { if case .observe = $0 { true } else { false } }
    let patience = isNew ? TopicServer.frameMilliseconds : 0
    return effects + requestFrame(for: [page], .hasty, patience: patience, at: now)
  }

  /// Why a page may not open another topic; nil if it may, or already has it open.
  private mutating func excess(of name: String, for page: PageID) -> PageRequestError? {
    guard let record = pages[page], record.topics[name] == nil, !record.waiting.contains(name)
    else { return nil }
    guard record.topics.count + record.waiting.count < TopicServer.maximumTopicsPerPage else {
      return .tooMany("a page may have \(TopicServer.maximumTopicsPerPage) topics open")
    }
    guard name.hasPrefix("product/") else { return nil }
    let names = [Array(record.topics.keys), Array(record.waiting)].joined()
    let products = names.count { $0.hasPrefix("product/") }
    guard products < TopicServer.maximumProductsPerPage else {
      return .tooMany("a page may have \(TopicServer.maximumProductsPerPage) products open")
    }
    let limit = TopicServer.maximumProductsPerSecond
    guard pages[page]?.countProduct(limit: limit) == true else {
      return .tooMany("a page may open \(limit) products in a second")
    }
    return nil
  }

  private mutating func perform(
    _ name: String, _ argument: String?, at now: ClockReading
  ) throws(PageRequestError) -> [TopicEffect] {
    switch (name, argument) {
    case ("feed.start", nil): return act(.startFeed, on: "feed", at: now)
    case ("feed.stop", nil): return act(.stopFeed, on: "feed", at: now)
    case ("venue.retry", .some(let name)):
      return Venue(rawValue: name).map { act(.retryVenue($0), on: "status", at: now) } ?? []
    case ("product.retry", .some(let id)): return act(.retryProduct, on: "product/\(id)", at: now)
    default:
      throw PageRequestError(code: "unknown_action", message: "there is no such action")
    }
  }

  private var unknownTopic: PageRequestError {
    PageRequestError(code: "unknown_topic", message: "there is no such topic")
  }

  private mutating func refuse(
    _ error: PageRequestError, _ page: PageID, topic: String? = nil
  ) -> [TopicEffect] {
    pages[page]?.errors += 1
    var effects: [TopicEffect] = [.send(page, TopicServer.encode(error, topic: topic))]
    if let errors = pages[page]?.errors, errors >= TopicServer.maximumErrors {
      effects.append(.close(page, code: 1008, reason: "too many errors"))
    }
    return effects
  }

  /// A rejected command; not an error of the page, to which another page's change may still be
  /// under way.
  func refuse(_ code: String, _ sentence: Sentence, to page: PageID) -> [TopicEffect] {
    [.send(page, TopicServer.encode(PageRequestError(code: code, message: sentence), topic: nil))]
  }

  /// The response to a ping, with the time by the connection's clock.
  func pong(_ number: Int64, to page: PageID, at now: ClockReading) -> [UInt8] {
    var writer = JSONWriter(capacity: 48)
    writer.beginObject()
    writer.member("pong", number)
    if let record = pages[page] {
      writer.member("at", record.measures.microseconds(at: now.monotonic))
    }
    writer.endObject()
    return writer.bytes
  }

  static func encode(_ error: PageRequestError, topic: String?) -> [UInt8] {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    writer.key("error")
    writer.beginObject()
    writer.member("code", error.code)
    writer.member("message", error.message)
    if let topic { writer.member("topic", topic) }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }
}

extension PageRequestError {
  fileprivate static func tooMany(_ message: String) -> PageRequestError {
    PageRequestError(code: "too_many_topics", message: Sentence(key: message))
  }
}
