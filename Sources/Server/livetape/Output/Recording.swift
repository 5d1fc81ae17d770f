import Foundation
import MarketModel
import NIOConcurrencyHelpers
import NIOCore

/// A recording being written: receive time in seconds since 1970, a tab and the raw message per
/// line, in order of arrival.
final class Recording: Sendable {
  private struct State {
    var file: FileHandle?
    var messages = 0
    var failure: String?
    /// The incomplete last line of a TCP stream.
    var unfinishedLine: [UInt8] = []
  }

  /// The maximum stored length of a TCP stream's line.
  private static let maximumLineBytes = 4096

  private let state: NIOLockedValueBox<State>
  private let path: String

  /// Creates the file; throws a ``CommandFailure`` if it exists or is not writable.
  init(path: String) throws {
    self.path = path
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let code = errno
      if code == EEXIST {
        throw CommandFailure("\(path) exists already; a recording never overwrites a file")
      }
      throw CommandFailure("can't write \(path): \(String(cString: strerror(code)))")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    state = NIOLockedValueBox(State(file: file))
  }

  var messages: Int { state.withLockedValue { $0.messages } }

  /// Why writing stopped; nil while it works.
  var failure: String? { state.withLockedValue { $0.failure } }

  /// Appends a message.
  ///
  /// Line breaks are white space between JSON tokens and are written as spaces.
  func write(_ message: ByteBuffer, receivedAt time: Timestamp) {
    let line = message.readableBytesView.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }
    state.withLockedValue { append(line, time, &$0) }
  }

  /// Appends the lines that a part of a TCP stream completes, without their line ends.
  func writeLines(of part: ByteBuffer, receivedAt time: Timestamp) {
    state.withLockedValue { state in
      for byte in part.readableBytesView {
        if byte == UInt8(ascii: "\n") {
          append(state.unfinishedLine, time, &state)
          state.unfinishedLine = []
        } else if state.unfinishedLine.count < Recording.maximumLineBytes, byte != 0x0d {
          state.unfinishedLine.append(byte)
        }
      }
    }
  }

  private func append(_ message: [UInt8], _ time: Timestamp, _ state: inout State) {
    guard let file = state.file, state.failure == nil else { return }
    var line = Array(Recording.seconds(time).utf8)
    line.append(UInt8(ascii: "\t"))
    line.append(contentsOf: message)
    line.append(UInt8(ascii: "\n"))
    do {
      try file.write(contentsOf: Data(line))
      state.messages += 1
    } catch {
      state.failure = "can't go on writing \(path): \(error.localizedDescription)"
    }
  }

  /// Closes the file; throws a ``CommandFailure`` if a write failed.
  ///
  /// A recording without messages, or of instruments that the venue lacks, is removed so that it
  /// does not block the next attempt.
  func close(isOfNothing: Bool = false) throws {
    let failure = state.withLockedValue { state in
      try? state.file?.close()
      let isEmpty = state.file != nil && (state.messages == 0 || isOfNothing)
      if isEmpty { try? FileManager.default.removeItem(atPath: path) }
      state.file = nil
      return state.failure
    }
    if let failure { throw CommandFailure(failure) }
  }

  private static func seconds(_ time: Timestamp) -> String {
    FixedDecimal(units: time.nanoseconds / 1000, scale: Scale(clamping: 6)).description
  }
}
