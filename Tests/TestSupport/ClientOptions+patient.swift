public import SocketTransport

extension ClientOptions {
  /// A deadline that no busy machine misses, and that reports the problem before
  /// ``patienceSeconds`` end.
  public static func patient(
    tls: TLSSettings = .system, limits: WebSocketLimits = WebSocketLimits()
  ) -> ClientOptions {
    ClientOptions(
      tls: tls, deadlineMilliseconds: Int64(patienceSeconds) * 1000 - 20_000, limits: limits)
  }
}
