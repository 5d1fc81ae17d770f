import NIOCore

/// The sockets of a listener: closes excess ones, and all when the listener stops.
package final class SocketDoor: Sendable {
  /// The limits.
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

  /// Registers an accepted socket, on the loop; returns its number, or nil if it is being closed.
  func admit(_ channel: any NIOCore.Channel) -> Int? {
    let source = SocketSource(channel.remoteAddress)
    guard !box.value.isClosed,
      case .taken(let number, let leaving) = box.value.register.add(from: source)
    else {
      // Deferred, because the socket is still being set up.
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

  /// Records a socket's activity; on the loop.
  package func note(_ activity: SocketActivity, of number: Int) {
    box.value.register.note(activity, of: number)
  }

  /// Admits no more sockets, asks all to end, and waits at most a second.
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
