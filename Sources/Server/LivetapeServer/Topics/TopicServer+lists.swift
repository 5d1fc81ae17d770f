// A person's lists at the topic server: each change is checked here, shown to all pages at once,
// and handed on to be kept.

import AppState
import MarketModel

extension TopicServer {
  /// The topic that shows the lists.
  static let listsTopic = "lists"

  /// A page changes a list.
  ///
  /// What can't be done is answered with a sentence; it is no error of the page, which may not have
  /// heard yet what another page did.
  mutating func change(
    _ command: ListCommand, from page: PageID, at now: ClockReading
  ) -> [TopicEffect] {
    var changed = lists.lists
    do throws(MarketListProblem) {
      try command.apply(to: &changed)
    } catch {
      let refusal = PageRequestError(code: "bad_list", message: error.sentence)
      return [.send(page, TopicServer.encode(refusal, topic: nil))]
    }
    guard changed != lists.lists else { return [] }
    lists.lists = changed
    return [.keep(changed)] + deliver(.lists(lists), to: TopicServer.listsTopic, at: now)
  }

  /// The lists are kept, or are not for this reason.
  mutating func receive(listsProblem: String?, at now: ClockReading) -> [TopicEffect] {
    guard lists.problem != listsProblem else { return [] }
    lists.problem = listsProblem
    return deliver(.lists(lists), to: TopicServer.listsTopic, at: now)
  }
}
