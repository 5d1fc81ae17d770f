import MarketHistory
public import MarketModel
public import VenueProtocols

/// Queues one venue's history requests, after the name lists that they need, at its rate limit.
public struct HistoryQueue: Sendable {
  /// A history request for an instrument.
  public struct Question: Hashable, Sendable {
    /// The instrument.
    public let instrument: InstrumentKey
    /// The request.
    public let request: HistoryRequest

    /// Creates a request.
    public init(_ instrument: InstrumentKey, _ request: HistoryRequest) {
      (self.instrument, self.request) = (instrument, request)
    }
  }

  /// The host's next step.
  public enum Step: Hashable, Sendable {
    /// Send this request, and nothing else before ``HistoryQueue/receive(_:at:)``.
    case ask(Question, name: String)
    /// Call again after this many milliseconds.
    case wait(Int64)
    /// The request is impossible.
    case fail(Question, HistoryFailure)
    /// Nothing to send, or a response is pending.
    case idle
  }

  /// A completed response.
  public struct Delivery: Hashable, Sendable {
    /// The completed requests; empty while the outcome is undecided.
    public let questions: [Question]
    /// The response to all of them.
    public let response: Result<HistoryResponse, HistoryFailure>
  }

  /// How long a venue's condition is valid and not requested again, in milliseconds.
  static let conditionMilliseconds: Int64 = 60_000

  private let history: VenueHistory
  private var pacer = RequestPacer<Question>()
  private var asked: Question?
  /// A patient request, which may be pending beside another.
  private var askedPatiently: Question?
  private var names: [Symbol: String] = [:]
  /// The lists not yet requested, the next one first.
  private var nameLists: ArraySlice<NamedAssets>
  /// A failed request while the venue's condition is requested.
  private var unexplained: (question: Question, detail: String)?
  private var condition: (value: VenueCondition?, askedAt: MonotonicTime)?

  /// Creates an empty queue.
  public init(_ history: VenueHistory) {
    self.history = history
    nameLists = history.nameLists[...]
  }

  /// Adds a request once; false if too many wait.
  public mutating func add(_ question: Question) -> Bool {
    if asked == question { return true }
    return pacer.add(question)
  }

  private func lacksName(_ question: Question) -> Bool {
    question.request.isOfInstrument && !nameLists.isEmpty
      && names[question.instrument.symbol] == nil
  }

  private mutating func wantNames() {
    guard let question = pacer.waiting.first ?? pacer.patient.last, lacksName(question),
      let list = nameLists.first
    else { return }
    pacer.addFirst(Question(question.instrument, .names(list)))
  }

  /// Removes the waiting requests of an unobserved instrument.
  public mutating func remove(_ instrument: InstrumentKey) {
    pacer.remove { $0.instrument == instrument && $0.request.isOfInstrument }
  }

  /// The next step.
  public mutating func next(at now: MonotonicTime) -> Step {
    guard asked == nil else { return .idle }
    wantNames()
    guard let delay = pacer.milliseconds(untilNextAt: now) else { return .idle }
    guard delay == 0, let question = pacer.next(at: now) else { return .wait(max(1, delay)) }
    guard let step = step(question) else { return .fail(question, .unknownInstrument) }
    asked = question
    return step
  }

  private func step(_ question: Question) -> Step? {
    let symbol = question.instrument.symbol
    let name =
      !question.request.isOfInstrument
      ? "" : history.nameLists.isEmpty ? symbol.text : names[symbol]
    guard let name, history.path(question.request, name) != nil else { return nil }
    return .ask(question, name: name)
  }

  /// Applies the response to the pending request; returns the completed requests.
  ///
  /// If the venue is unavailable, its condition is requested first, at most once a minute. A failed
  /// list of names completes all that need it.
  public mutating func receive(
    _ response: Result<HistoryResponse, HistoryFailure>, at now: MonotonicTime
  ) -> Delivery {
    guard let question = asked else { return Delivery(questions: [], response: response) }
    asked = nil
    pacer.finish(wasLimited: response == .failure(.rateLimited), at: now)
    if question.request == .condition { return explain(response) }
    guard case .failure(.unavailable(let detail)) = response, history.statesCondition else {
      return deliver(question, response)
    }
    if let condition, now.milliseconds(since: condition.askedAt) < Self.conditionMilliseconds {
      return deliver(question, .failure(failure(detail)))
    }
    condition = (nil, now)
    unexplained = (question, detail)
    pacer.addFirst(Question(question.instrument, .condition))
    return Delivery(questions: [], response: response)
  }

  private mutating func explain(_ response: Result<HistoryResponse, HistoryFailure>) -> Delivery {
    if case .success(.condition(let value)) = response { condition?.value = value }
    guard let (question, detail) = unexplained else {
      return Delivery(questions: [], response: response)
    }
    unexplained = nil
    return deliver(question, .failure(failure(detail)))
  }

  private func failure(_ detail: String) -> HistoryFailure {
    guard let value = condition?.value, value != .online else { return .unavailable(detail) }
    return .closed(value)
  }

  private mutating func deliver(
    _ question: Question, _ response: Result<HistoryResponse, HistoryFailure>
  ) -> Delivery {
    guard case .names = question.request else {
      return Delivery(questions: [question], response: response)
    }
    if case .success(.names(let names)) = response {
      self.names.merge(names) { first, _ in first }
      nameLists = nameLists.dropFirst()
      return Delivery(questions: [], response: response)
    }
    let names = names
    return Delivery(
      questions: pacer.takeAll { names[$0.instrument.symbol] == nil }, response: response)
  }
}

// MARK: - Low-priority requests

extension HistoryQueue {
  /// Adds a low-priority request once, before others; returns the oldest if it was dropped.
  public mutating func addPatient(_ question: Question) -> Question? {
    if askedPatiently == question { return nil }
    return pacer.addPatient(question)
  }

  /// The next step for low-priority requests, when ``next(at:)`` has none.
  ///
  /// Their responses go to ``receivePatient(_:at:)``; other requests may be sent meanwhile.
  public mutating func nextPatient(at now: MonotonicTime) -> Step {
    guard askedPatiently == nil, let latest = pacer.patient.last, !lacksName(latest),
      let delay = pacer.milliseconds(untilNextPatientAt: now)
    else { return .idle }
    guard delay == 0, let question = pacer.nextPatient(at: now) else { return .wait(max(1, delay)) }
    guard let step = step(question) else { return .fail(question, .unknownInstrument) }
    askedPatiently = question
    return step
  }

  /// Applies the response to the pending low-priority request, and returns that request.
  public mutating func receivePatient(
    _ response: Result<HistoryResponse, HistoryFailure>, at now: MonotonicTime
  ) -> Question? {
    defer { askedPatiently = nil }
    if askedPatiently != nil {
      pacer.finish(wasLimited: response == .failure(.rateLimited), at: now)
    }
    return askedPatiently
  }
}

extension HistoryRequest {
  fileprivate var isOfInstrument: Bool {
    switch self {
    case .names, .condition: false
    case .candles, .trades, .tradesBefore: true
    }
  }
}
