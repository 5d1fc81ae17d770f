// A venue's history requests and their order.

import MarketModel
import MarketStreams
import Testing
import VenueProtocols

@Suite struct HistoryQueueTests {
  private func question(_ name: String, _ request: HistoryRequest) throws -> HistoryQueue.Question {
    HistoryQueue.Question(InstrumentKey(.kraken, try symbol(name)), request)
  }

  private func queue() throws -> HistoryQueue {
    HistoryQueue(try #require(Venue.kraken.adapter.history))
  }

  private func time(_ milliseconds: Int64) -> MonotonicTime { at(milliseconds).monotonic }

  private func names() throws -> HistoryResponse {
    .names([try symbol("BTC/USD"): "XBTUSD"])
  }

  @Test("The names come first, once, and then what was asked, by the venue's own name")
  func namesFirst() throws {
    var queue = try queue()
    let wanted = try question("BTC/USD", .candles(.minute))
    #expect(queue.add(wanted) && queue.add(wanted))
    guard case .ask(let first, let none) = queue.next(at: time(0)) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(first.request == .names(.currencies) && none.isEmpty)
    #expect(queue.next(at: time(0)) == .idle, "one question at a time")
    #expect(queue.receive(.success(try names()), at: time(10)).questions == [])
    guard case .ask(let second, let name) = queue.next(at: time(10)) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(second == wanted && name == "XBTUSD")
    #expect(queue.receive(.failure(.badAnswer("cut")), at: time(20)).questions == [wanted])
    #expect(queue.next(at: time(20)) == .idle, "asked once")
  }

  @Test("Without names nothing can be requested, and all pending requests fail")
  func noNames() throws {
    var queue = try queue()
    let questions = try [
      question("BTC/USD", .candles(.minute)), question("ETH/USD", .candles(.hour)),
    ]
    for question in questions { _ = queue.add(question) }
    _ = queue.next(at: time(0))
    #expect(queue.receive(.failure(.badAnswer("cut")), at: time(10)).questions == questions)
    #expect(queue.next(at: time(10)) == .idle)
  }

  @Test("A pair that the venue does not name has no history there")
  func unknownPair() throws {
    var queue = try queue()
    let wanted = try question("NO/PAIR", .candles(.minute))
    _ = queue.add(wanted)
    _ = queue.next(at: time(0))
    _ = queue.receive(.success(try names()), at: time(1))
    #expect(isAskingTokens(&queue, at: 1))
    _ = queue.receive(.success(.names([:])), at: time(2))
    #expect(queue.next(at: time(2)) == .fail(wanted, .unknownInstrument))
    _ = queue.add(wanted)
    #expect(queue.next(at: time(5000)) == .fail(wanted, .unknownInstrument), "asked for once")
  }

  /// Whether the next request is for the names of tokens.
  private func isAskingTokens(_ queue: inout HistoryQueue, at milliseconds: Int64) -> Bool {
    guard case .ask(let question, "") = queue.next(at: time(milliseconds)) else { return false }
    return question.request == .names(.tokens)
  }

  @Test("The tokens' names are requested before the first request about one")
  func tokens() throws {
    var queue = try queue()
    let pair = try question("BTC/USD", .candles(.minute))
    let token = try question("AAPLx/USD", .candles(.minute))
    let line = try question("TSLAx/USD", .candles(.hour))
    for question in [pair, token] { _ = queue.add(question) }
    _ = queue.addPatient(line)
    _ = queue.next(at: time(0))
    _ = queue.receive(.success(try names()), at: time(0))
    guard case .ask(pair, "XBTUSD") = queue.next(at: time(0)) else {
      Issue.record("a pair waits for the tokens' names")
      return
    }
    _ = queue.receive(.failure(.badAnswer("")), at: time(0))
    #expect(isAskingTokens(&queue, at: 0))
    let early = queue.nextPatient(at: time(0))
    #expect(early == .idle, "a line lacks its name as well")
    let names = try [symbol("AAPLx/USD"): "AAPLxUSD@token", symbol("TSLAx/USD"): "TSLAxUSD@token"]
    _ = queue.receive(.success(.names(names)), at: time(0))
    guard case .ask(token, "AAPLxUSD@token") = queue.next(at: time(1000)) else {
      Issue.record("the token is not asked for")
      return
    }
    _ = queue.receive(.failure(.badAnswer("")), at: time(1000))
    guard case .ask(line, "TSLAxUSD@token") = queue.nextPatient(at: time(10_000)) else {
      Issue.record("the line is not asked for")
      return
    }
  }

  @Test("A line alone asks for the tokens' names as well")
  func tokenLine() throws {
    var queue = try queue()
    _ = queue.addPatient(try question("TSLAx/USD", .candles(.hour)))
    _ = queue.next(at: time(0))
    _ = queue.receive(.success(try names()), at: time(0))
    #expect(isAskingTokens(&queue, at: 0))
  }

  @Test("Without the tokens' names only requests for tokens fail, and it is retried")
  func noTokens() throws {
    var queue = try queue()
    let pair = try question("BTC/USD", .candles(.minute))
    let token = try question("AAPLx/USD", .candles(.minute))
    let line = try question("TSLAx/USD", .candles(.hour))
    _ = queue.add(token)
    _ = queue.addPatient(line)
    _ = queue.next(at: time(0))
    _ = queue.receive(.success(try names()), at: time(0))
    #expect(isAskingTokens(&queue, at: 0))
    _ = queue.add(pair)
    #expect(queue.receive(.failure(.badAnswer("cut")), at: time(0)).questions == [token, line])
    guard case .ask(pair, _) = queue.next(at: time(0)) else {
      Issue.record("a pair needs no names of tokens")
      return
    }
    _ = queue.receive(.failure(.badAnswer("")), at: time(0))
    _ = queue.add(token)
    #expect(isAskingTokens(&queue, at: 5000))
  }

  @Test("After a burst of three there is one question a second, and a pause when it was too many")
  func pace() throws {
    var queue = try queue()
    let intervals: [CandleInterval] = [.minute, .fiveMinutes, .hour, .day]
    for interval in intervals { _ = queue.add(try question("BTC/USD", .candles(interval))) }
    _ = queue.next(at: time(0))
    _ = queue.receive(.success(try names()), at: time(0))
    for _ in 0..<2 {
      guard case .ask = queue.next(at: time(0)) else {
        Issue.record("no burst")
        return
      }
      _ = queue.receive(.failure(.badAnswer("")), at: time(0))
    }
    #expect(queue.next(at: time(0)) == .wait(1000))
    guard case .ask = queue.next(at: time(1000)) else {
      Issue.record("nothing is asked after a second")
      return
    }
    _ = queue.receive(.failure(.rateLimited), at: time(1000))
    #expect(queue.next(at: time(1000)) == .wait(5000))
  }

  @Test("A venue that can't answer is asked whether it works, before the question is given up")
  func condition() throws {
    var queue = try queue()
    let wanted = try question("BTC/USD", .candles(.minute))
    _ = queue.add(wanted)
    _ = queue.next(at: time(0))
    let early = queue.receive(.failure(.unavailable("busy")), at: time(10))
    #expect(early.questions == [], "not clear yet")
    guard case .ask(let asked, _) = queue.next(at: time(10)) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(asked.request == .condition)
    let delivery = queue.receive(.success(.condition(.maintenance)), at: time(20))
    #expect(delivery.questions == [wanted], "all that waited for the names")
    #expect(delivery.response == .failure(.closed(.maintenance)))
    guard case .failure(let failure) = delivery.response else { return }
    #expect(failure.userMessage.description.contains("in maintenance"))
  }

  @Test("A venue's word about itself holds for a minute, and is not asked again before")
  func conditionHolds() throws {
    var queue = try queue()
    let wanted = try question("BTC/USD", .candles(.minute))
    func fail(_ now: Int64) -> HistoryQueue.Delivery {
      _ = queue.add(wanted)
      _ = queue.next(at: time(now))
      return queue.receive(.failure(.unavailable("busy")), at: time(now))
    }
    _ = fail(0)
    _ = queue.next(at: time(1000))
    let unknown = queue.receive(.failure(.unavailable("busy")), at: time(1000))
    #expect(unknown.response == .failure(.unavailable("busy")), "it says nothing about itself")
    #expect(fail(10_000).questions == [wanted])
    #expect(fail(59_000).response == .failure(.unavailable("busy")))
    #expect(fail(60_000).questions == [], "asked again")
    _ = queue.next(at: time(61_000))
    _ = queue.receive(.success(.condition(.limited("cancel_only"))), at: time(61_000))
    #expect(fail(70_000).response == .failure(.closed(.limited("cancel_only"))))
  }

  @Test("A working venue that can't respond is reported as unreachable")
  func conditionOnline() throws {
    var queue = try queue()
    _ = queue.add(try question("BTC/USD", .candles(.minute)))
    _ = queue.next(at: time(0))
    _ = queue.receive(.failure(.unavailable("busy")), at: time(0))
    _ = queue.next(at: time(0))
    let delivery = queue.receive(.success(.condition(.online)), at: time(0))
    #expect(delivery.response == .failure(.unavailable("busy")))
  }
}
