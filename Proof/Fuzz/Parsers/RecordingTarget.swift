// A recording as `livetape replay` reads it: lines of a file, played by the venue that the first
// byte names.

import Foundation
import MarketModel
import VenueProtocols

let targets: [String: Target] = ["recording": recording]

private let path =
  FileManager.default.temporaryDirectory.path
  + "/fuzz-recording-\(ProcessInfo.processInfo.processIdentifier)"
private let file: Int32 = {
  let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
  if file < 0 { fail("\(path) can't be written") }
  return file
}()

@Sendable private func recording(_ bytes: Span<UInt8>) {
  guard bytes.count > 0 else { return }
  let content = bytes.extracting(1...)
  content.withUnsafeBufferPointer { part in
    guard ftruncate(file, 0) == 0, pwrite(file, part.baseAddress, part.count, 0) == part.count
    else { fail("the recording can't be written") }
  }
  if bytes[0] & 1 == 0 {
    play(BitMEXReplay())
  } else {
    play(KrakenReplay())
  }
}

private func play(_ replay: some MarketReplay) {
  var replay = replay
  var played = 0
  do {
    var lines = try RecordedLines(path: path)
    while let line = try lines.next() {
      let now = ClockReading(
        monotonic: MonotonicTime(nanoseconds: line.time.nanoseconds), wall: line.time)
      if let problem = replay.process(line.message.span, at: now) { check(problem) }
      played += 1
      for symbol in replay.bookSymbols.prefix(2) {
        if let book = replay.bookView(for: symbol, at: now) { check(.book(book)) }
      }
    }
  } catch let failure as CommandFailure {
    if failure.message.isEmpty { fail("no words") }
  } catch {
    fail("an error that is no line: \(error)")
  }
  guard replay.messages == played else { fail("\(played) lines, \(replay.messages) messages") }
}
