// Clients of tests.

public import SocketTransport

extension ClientOptions {
  /// No deadline that a busy machine could miss.
  public static let patient = ClientOptions(
    deadlineMilliseconds: Int64(patienceSeconds) * 1000)
}
