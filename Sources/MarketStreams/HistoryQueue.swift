// The questions about the past that wait for one venue: one after another, at the venue's pace; the
// names to ask by come first.

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
    /// Ask this by the instrument's name at the venue, at a path below the address of its history;
    /// nothing else before ``HistoryQueue/receive(_:at:)``.
    case ask(Question, name: String, path: String)
    /// Come back after so many milliseconds.
    case wait(Int64)
    /// This can't be asked.
    case fail(Question, HistoryFailure)
    /// Nothing is to be asked, or a response is due.
    case idle
  }

  private let history: VenueHistory
  private var pacer = RequestPacer<Question>()
  private var asked: Question?
  /// A patient question that was asked beside the others.
  private var askedPatiently: Question?
  private var names: [Symbol: String]?

  /// Starts with nothing to ask.
  public init(_ history: VenueHistory) { self.history = history }

  /// Takes a question, each once; false when too many wait.
  public mutating func add(_ question: Question) -> Bool {
    if asked == question { return true }
    wantNames(for: question)
    return pacer.add(question)
  }

  private mutating func wantNames(for question: Question) {
    guard history.hasNames, names == nil, asked?.request != .names,
      !pacer.waiting.contains(where: { $0.request == .names })
    else { return }
    pacer.add(Question(question.instrument, .names))
  }

  /// Drops what waits for an instrument that nobody wants any more.
  public mutating func remove(_ instrument: InstrumentKey) {
    pacer.remove { $0.instrument == instrument && $0.request != .names }
  }

  /// What to do next.
  public mutating func next(at now: MonotonicTime) -> Step {
    guard asked == nil, let delay = pacer.milliseconds(untilNextAt: now) else { return .idle }
    guard delay == 0, let question = pacer.next(at: now) else { return .wait(max(1, delay)) }
    guard let step = step(question) else { return .fail(question, .unknownInstrument) }
    asked = question
    return step
  }

  private func step(_ question: Question) -> Step? {
    let name =
      question.request == .names
      ? ""
      : history.hasNames
        ? names?[question.instrument.symbol] : question.instrument.symbol.text
    guard let name, let path = history.path(question.request, name) else { return nil }
    return .ask(question, name: name, path: path)
  }

  /// Takes the response to the question that was asked.
  ///
  /// - Returns: the questions that it answers: the one that was asked, or, when there are no names
  ///   to ask by, all that wait.
  public mutating func receive(
    _ response: Result<HistoryAnswer, HistoryFailure>, at now: MonotonicTime
  ) -> [Question] {
    guard let question = asked else { return [] }
    asked = nil
    pacer.finish(wasLimited: response == .failure(.rateLimited), at: now)
    guard question.request == .names else { return [question] }
    if case .success(.names(let names)) = response {
      self.names = names
      return []
    }
    return pacer.removeAll()
  }
}

// MARK: - Questions that let all others pass

extension HistoryQueue {
  /// Takes a question that no other has to wait for, each once; the latest is asked first.
  ///
  /// - Returns: the question that has waited longest, where it had to give way.
  public mutating func addPatient(_ question: Question) -> Question? {
    if askedPatiently == question { return nil }
    wantNames(for: question)
    return pacer.addPatient(question)
  }

  /// What to do next for those, once ``next(at:)`` has nothing to do.
  ///
  /// Their responses go to ``receivePatient(_:at:)``, and others may be asked meanwhile.
  public mutating func nextPatient(at now: MonotonicTime) -> Step {
    guard askedPatiently == nil, !history.hasNames || names != nil,
      let delay = pacer.milliseconds(untilNextPatientAt: now)
    else { return .idle }
    guard delay == 0, let question = pacer.nextPatient(at: now) else { return .wait(max(1, delay)) }
    guard let step = step(question) else { return .fail(question, .unknownInstrument) }
    askedPatiently = question
    return step
  }

  /// Takes the response to the patient question that was asked; gives the question.
  public mutating func receivePatient(
    _ response: Result<HistoryAnswer, HistoryFailure>, at now: MonotonicTime
  ) -> Question? {
    defer { askedPatiently = nil }
    if askedPatiently != nil {
      pacer.finish(wasLimited: response == .failure(.rateLimited), at: now)
    }
    return askedPatiently
  }
}
