// Keeps a person's lists in the data folder: a whole file replaces the one before, so that a crash
// leaves either. Trouble with the disk is said, and never costs what is on the page.

import AppState
import Dispatch
import MarketModel
import NIOConcurrencyHelpers

/// The lists on disk.
final class ListsFile: Sendable {
  /// The file's name in the data folder.
  static let fileName = "lists.json"

  /// What was kept, read once at the start.
  let kept: MarketListsState

  private let disk: ListsDisk
  /// Why nothing is ever written; nil where writing is tried.
  private let obstacle: String?
  /// What is said as long as nothing worse is to be said: that a damaged file was set aside.
  private let notice: String?
  private let queue = DispatchQueue(label: "lists")
  /// What waits to be written: the newest lists only.
  private let waiting = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

  /// Opens the file of a folder and reads it; a damaged one is set aside.
  init(folder: String, now: Timestamp) {
    disk = ListsDisk(folder: folder)
    let opened = ListsFile.open(disk, now)
    (kept, obstacle, notice) = (opened.kept, opened.obstacle, opened.notice)
  }

  /// Keeps these lists instead of those before; of several that wait the last one counts.
  ///
  /// - Parameters:
  ///   - lists: all of them.
  ///   - done: hears of the outcome, on a queue of its own: why they are not kept, or nil.
  func keep(_ lists: MarketLists, done: @escaping @Sendable (String?) -> Void) {
    if obstacle != nil { return }
    let (disk, notice) = (disk, notice)
    let isIdle = waiting.withLockedValue { waiting in
      defer {
        waiting = {
          do throws(ListsDiskError) {
            try disk.replace(with: lists.json)
            done(notice)
          } catch {
            done("The lists can't be kept: \(error.detail). Changes last until the server ends.")
          }
        }
      }
      return waiting == nil
    }
    guard isIdle else { return }
    queue.async { [waiting] in
      let work = waiting.withLockedValue { waiting in
        defer { waiting = nil }
        return waiting
      }
      work?()
    }
  }

  /// Waits for what is under way, and lets others keep lists here.
  func close() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
    disk.unlock()
  }

  private static func open(
    _ disk: ListsDisk, _ now: Timestamp
  ) -> (kept: MarketListsState, obstacle: String?, notice: String?) {
    let (lists, damage) = read(disk)
    if let obstacle = disk.lock() {
      return (MarketListsState(lists, problem: damage ?? obstacle), damage ?? obstacle, nil)
    }
    guard let damage else { return (MarketListsState(lists), nil, nil) }
    guard let name = disk.setAside(at: now) else {
      let obstacle = damage + " Changes last until the server ends."
      return (MarketListsState(problem: obstacle), obstacle, nil)
    }
    let notice = "The lists could not be read and begin anew; the damaged file is now \(name)."
    return (MarketListsState(problem: notice), nil, notice)
  }

  /// The lists, or why they can't be read.
  private static func read(_ disk: ListsDisk) -> (MarketLists, damage: String?) {
    do throws(ListsDiskError) {
      guard let bytes = try disk.read(atMost: MarketLists.maximumBytes) else {
        return (MarketLists(), nil)
      }
      if let lists = try? MarketLists(decoding: bytes.span) { return (lists, nil) }
      return (MarketLists(), "The lists that were kept can't be understood.")
    } catch {
      return (MarketLists(), "The lists that were kept can't be read: \(error.detail).")
    }
  }
}
