import DataFiles
import Dispatch
import MarketModel
import NIOConcurrencyHelpers
import WireJSON

/// A value on disk, replaced as a whole file, so that a crash leaves the old or the new one.
///
/// Disk problems are reported and never affect what is on the page.
final class KeptFile<Value: KeptValue>: Sendable {
  /// The stored value, read once at the start.
  let kept: Value
  /// Why the value may not be saved, as a sentence; nil if it is.
  let problem: Sentence?

  private let disk: KeptDisk
  /// Why nothing is ever written; nil if writing is attempted.
  private let obstacle: Sentence?
  /// The default report: a damaged file was set aside.
  private let notice: Sentence?
  private let queue = DispatchQueue(label: Value.fileName)
  /// The pending write of the newest value.
  private let waiting = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

  init(folder: String, now: Timestamp) {
    disk = KeptDisk(folder: folder, name: Value.fileName)
    let opened = KeptFile.open(disk, now)
    (kept, obstacle, notice) = (opened.kept, opened.obstacle, opened.notice)
    problem = opened.obstacle ?? opened.notice
  }

  /// Stores a value; of several pending ones only the last is written.
  ///
  /// - Parameters:
  ///   - value: the whole value.
  ///   - done: receives the reason it was not saved, or nil, on a private queue. It is not called
  ///     for a superseded value.
  /// - Returns: false if nothing is ever written; `done` is not called then.
  @discardableResult
  func keep(_ value: Value, done: @escaping @Sendable (Sentence?) -> Void) -> Bool {
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
              """
              The \(Value.things) can't be kept: \(error.detail). Changes last until the server \
              ends.
              """)
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

  /// Waits for pending writes and releases the lock.
  func close() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
    disk.unlock()
  }

  private static func open(
    _ disk: KeptDisk, _ now: Timestamp
  ) -> (kept: Value, obstacle: Sentence?, notice: Sentence?) {
    // Locked first: otherwise another writer could replace the file after it was read.
    let obstacle = disk.lock(Value.things)
    let (value, damage) = read(disk)
    if let obstacle { return (value, damage ?? obstacle, nil) }
    guard let damage else { return (value, nil, nil) }
    guard let name = disk.setAside(at: now) else {
      let both = Sentence(joining: [damage, "Changes last until the server ends."])
      return (Value(), both, nil)
    }
    let notice: Sentence =
      "The \(Value.things) could not be read and were reset; the damaged file is now \(name)."
    return (Value(), nil, notice)
  }

  private static func read(_ disk: KeptDisk) -> (Value, damage: Sentence?) {
    do throws(DataFileError) {
      guard let bytes = try disk.read(atMost: Value.maximumBytes) else { return (Value(), nil) }
      if let value = try? Value(decoding: bytes.span) { return (value, nil) }
      return (Value(), "The \(Value.things) that were kept can't be understood.")
    } catch {
      return (Value(), "The \(Value.things) that were kept can't be read: \(error.detail).")
    }
  }
}
