import Digest
import MarketModel
import NIOCore
public import SocketTransport

/// A URL that receives each firing as a signed POST.
public struct AlertWebhook: Sendable {
  let endpoint: Endpoint
  private let secret: PageToken

  /// Creates a webhook; nil unless the endpoint is http or https.
  public init?(_ endpoint: Endpoint, secret: PageToken) {
    guard endpoint.scheme == .http || endpoint.scheme == .https else { return nil }
    (self.endpoint, self.secret) = (endpoint, secret)
  }
}

extension AlertWebhook: AlertReceiver {
  func deliver(_ body: [UInt8], on loop: any EventLoop) -> EventLoopFuture<AlertAttempt> {
    let headers = [
      (name: "Content-Type", value: "application/json"),
      (name: "X-Livetape-Signature", value: "sha256=\(secret.signature(of: body))"),
    ]
    return HTTPClient.post(endpoint, body: body, headers: headers, on: loop).map {
      AlertWebhook.attempt(status: $0.status)
    }.flatMapErrorThrowing { error in
      let problem = error as? TransportError
      let reason: Sentence = problem.map { "\($0)" } ?? "no response"
      return .failed("the webhook failed: \(reason)", mayRecover: true)
    }
  }

  /// Success is 2xx; a server's failures, time-outs and limits may pass.
  static func attempt(status: Int) -> AlertAttempt {
    if (200..<300).contains(status) { return .delivered }
    let mayRecover = status >= 500 || [408, 425, 429].contains(status)
    return .failed("the webhook answered \(status)", mayRecover: mayRecover)
  }
}
