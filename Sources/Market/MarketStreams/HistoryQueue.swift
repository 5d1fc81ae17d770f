// The questions about the past that wait for one venue: one after another, at the venue's pace; the
// lists with the names to ask by come first, each once somebody asks for what may be in it.

import MarketHistory
public import MarketModel
public import VenueProtocols

/// What is asked of one venue's history, and when.
public struct HistoryQueue: Sendable {
  /// A question about an instrument.
  public struct Question: Hashable, Sendable {
    /// The instrument.
    public let instrument: InstrumentKey
    /// What is asked.
    public let request: HistoryRequest

    /// Puts a question together.
    public init(_ instrument: InstrumentKey, _ request: HistoryRequest) {
      (self.instrument, self.request) = (instrument, request)
    }
  }

  /// What the host does next.
  public enum Step: Hashable, Sendable {
    /// Ask this by the instrument's name at the venue; nothing else before
    /// ``HistoryQueue/receive(_:at:)``.
    case ask(Question, name: String)
    /// Come back after so many milliseconds.
    case wait(Int64)
    /// This can't be asked.
    case fail(Question, HistoryFailure)
    /// Nothing is to be asked, or a response is due.
    case idle
  }

  /// What became of questions.
  public struct Delivery: Hashable, Sendable {
    /// The questions that have their answer; none while it is not clear yet.
    public let questions: [Question]
    /// The answer to all of them.
    public let response: Result<HistoryResponse, HistoryFailure>
  }

  /// How long a venue's word about itself holds, and how long it is not asked again, milliseconds.
  static let conditionMilliseconds: Int64 = 60_000

  private let history: VenueHistory
  private var pacer = RequestPacer<Question>()
  private var asked: Question?
  /// A patient question that was asked beside the others.
  private var askedPatiently: Question?
  /// The names of the lists that the venue has given.
  private var names: [Symbol: String] = [:]
  /// Those that it was not asked for, the next one first.
  private var nameLists: ArraySlice<NamedAssets>
  /// What failed while the venue is asked whether it works at all.
  private var unexplained: (question: Question, detail: String)?
  private var condition: (value: VenueCondition?, askedAt: MonotonicTime)?

  /// Starts with nothing to ask.
  public init(_ history: VenueHistory) {
    self.history = history
    nameLists = history.nameLists[...]
  }

  /// Takes a question, each once; false when too many wait.
  public mutating func add(_ question: Question) -> Bool {
    if asked == question { return true }
    return pacer.add(question)
  }

  /// Whether a question can't be asked before another list of names is known.
  private func lacksName(_ question: Question) -> Bool {
    question.request.isOfInstrument && !nameLists.isEmpty
      && names[question.instrument.symbol] == nil
  }

  /// Lets a list of names go first where the next question lacks its name.
  private mutating func wantNames() {
    guard let question = pacer.waiting.first ?? pacer.patient.last, lacksName(question),
      let list = nameLists.first
    else { return }
    pacer.addFirst(Question(question.instrument, .names(list)))
  }

  /// Drops what waits for an instrument that nobody wants any more.
  public mutating func remove(_ instrument: InstrumentKey) {
    pacer.remove { $0.instrument == instrument && $0.request.isOfInstrument }
  }

  /// What to do next.
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

  /// Takes the response to the question that was asked.
  ///
  /// Where the venue can't answer, it is asked first whether it works, once in a while.
  ///
  /// - Returns: the questions that it answers: the one that was asked, or, when a list of names
  ///   can't be had, all that wait for it.
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

  /// The venue's word about itself, or none.
  private mutating func explain(
    _ response: Result<HistoryResponse, HistoryFailure>
  ) -> Delivery {
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

// MARK: - Questions that let all others pass

extension HistoryQueue {
  /// Takes a question that no other has to wait for, each once; the latest is asked first.
  ///
  /// - Returns: the question that has waited longest, where it had to give way.
  public mutating func addPatient(_ question: Question) -> Question? {
    if askedPatiently == question { return nil }
    return pacer.addPatient(question)
  }

  /// What to do next for those, once ``next(at:)`` has nothing to do.
  ///
  /// Their responses go to ``receivePatient(_:at:)``, and others may be asked meanwhile.
  public mutating func nextPatient(at now: MonotonicTime) -> Step {
    guard askedPatiently == nil, let latest = pacer.patient.last, !lacksName(latest),
      let delay = pacer.milliseconds(untilNextPatientAt: now)
    else { return .idle }
    guard delay == 0, let question = pacer.nextPatient(at: now) else { return .wait(max(1, delay)) }
    guard let step = step(question) else { return .fail(question, .unknownInstrument) }
    askedPatiently = question
    return step
  }

  /// Takes the response to the patient question that was asked; gives the question.
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
  /// Whether it is asked of one instrument, by its name at the venue.
  fileprivate var isOfInstrument: Bool {
    switch self {
    case .names, .condition: false
    case .candles, .trades: true
    }
  }
}
