// Keeps a person's lists, or alerts, in the data folder: a whole file replaces the one before, so
// that a crash leaves either. Trouble with the disk is said, and never costs what is on the page.

import DataFiles
import Dispatch
import MarketModel
import NIOConcurrencyHelpers
import WireJSON

/// A value on disk.
final class KeptFile<Value: KeptValue>: Sendable {
  /// What was kept, read once at the start.
  let kept: Value
  /// Why it may not be kept from now on, one clear sentence; nil when it is.
  let problem: String?

  private let disk: KeptDisk
  /// Why nothing is ever written; nil where writing is tried.
  private let obstacle: String?
  /// What is said as long as nothing worse is to be said: that a damaged file was set aside.
  private let notice: String?
  private let queue = DispatchQueue(label: Value.fileName)
  /// What waits to be written: the newest value only.
  private let waiting = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

  /// Opens the file of a folder and reads it; a damaged one is set aside.
  init(folder: String, now: Timestamp) {
    disk = KeptDisk(folder: folder, name: Value.fileName)
    let opened = KeptFile.open(disk, now)
    (kept, obstacle, notice) = (opened.kept, opened.obstacle, opened.notice)
    problem = opened.obstacle ?? opened.notice
  }

  /// Keeps this value instead of the one before; of several that wait the last one counts.
  ///
  /// - Parameters:
  ///   - value: all of it.
  ///   - done: hears of the outcome, on a queue of its own: why it is not kept, or nil. A value
  ///     that a later one has overtaken is not heard of.
  /// - Returns: false where nothing is ever written; `done` hears nothing then.
  @discardableResult
  func keep(_ value: Value, done: @escaping @Sendable (String?) -> Void) -> Bool {
    if obstacle != nil { return false }
    let (disk, notice) = (disk, notice)
    let isIdle = waiting.withLockedValue { waiting in
      defer {
        waiting = {
          do throws(DataFileError) {
            try disk.replace(with: value.json)
            done(notice)
          } catch {
            done(
              "The \(Value.things) can't be kept: \(error.detail). "
                + "Changes last until the server ends.")
          }
        }
      }
      return waiting == nil
    }
    guard isIdle else { return true }
    queue.async { [waiting] in
      let work = waiting.withLockedValue { waiting in
        defer { waiting = nil }
        return waiting
      }
      work?()
    }
    return true
  }

  /// Waits for what is under way, and lets others write here.
  func close() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
    disk.unlock()
  }

  private static func open(
    _ disk: KeptDisk, _ now: Timestamp
  ) -> (kept: Value, obstacle: String?, notice: String?) {
    let (value, damage) = read(disk)
    if let obstacle = disk.lock(Value.things) { return (value, damage ?? obstacle, nil) }
    guard let damage else { return (value, nil, nil) }
    guard let name = disk.setAside(at: now) else {
      return (Value(), damage + " Changes last until the server ends.", nil)
    }
    let notice =
      "The \(Value.things) could not be read and begin anew; the damaged file is now \(name)."
    return (Value(), nil, notice)
  }

  /// The value, or why it can't be read.
  private static func read(_ disk: KeptDisk) -> (Value, damage: String?) {
    do throws(DataFileError) {
      guard let bytes = try disk.read(atMost: Value.maximumBytes) else { return (Value(), nil) }
      if let value = try? Value(decoding: bytes.span) { return (value, nil) }
      return (Value(), "The \(Value.things) that were kept can't be understood.")
    } catch {
      return (Value(), "The \(Value.things) that were kept can't be read: \(error.detail).")
    }
  }
}
