// Keeps the sockets of one listener: closes those for which its register has no place, and all of
// them when the listener stops.

import NIOCore

/// The sockets of a listener.
package final class SocketDoor: Sendable {
  /// The bounds.
  package let limits: SocketLimits
  private let loop: any EventLoop
  private let box: NIOLoopBoundBox<State>

  private struct State {
    var register: SocketRegister
    var channels: [Int: any NIOCore.Channel] = [:]
    var isClosed = false
  }

  init(_ limits: SocketLimits, loop: any EventLoop) {
    self.limits = limits
    self.loop = loop
    box = NIOLoopBoundBox.makeBoxSendingValue(
      State(register: SocketRegister(limits)), eventLoop: loop)
  }

  /// Registers an accepted socket, on the loop; returns its number, or nil when it is being closed.
  func admit(_ channel: any NIOCore.Channel) -> Int? {
    let source = SocketSource(channel.remoteAddress)
    guard !box.value.isClosed,
      case .taken(let number, let leaving) = box.value.register.add(from: source)
    else {
      // Not yet: the socket is still being set up.
      loop.execute { channel.close(promise: nil) }
      return nil
    }
    if let leaving { box.value.channels[leaving]?.close(promise: nil) }
    box.value.channels[number] = channel
    channel.closeFuture.whenComplete { _ in
      self.box.value.register.remove(number)
      self.box.value.channels[number] = nil
    }
    return number
  }

  /// A socket does something else from now on; on the loop.
  package func note(_ activity: SocketActivity, of number: Int) {
    box.value.register.note(activity, of: number)
  }

  /// Admits nobody from now on, asks every socket to end, and waits until all have, a second at
  /// most.
  func quiesce() async {
    let gone = loop.flatSubmit {
      self.box.value.isClosed = true
      let channels = Array(self.box.value.channels.values)
      let deadline = self.loop.scheduleTask(in: .seconds(1)) {
        for channel in channels { channel.close(promise: nil) }
      }
      for channel in channels {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      }
      return EventLoopFuture.andAllComplete(channels.map(\.closeFuture), on: self.loop)
        .always { _ in deadline.cancel() }
    }
    try? await gone.get()
  }
}
