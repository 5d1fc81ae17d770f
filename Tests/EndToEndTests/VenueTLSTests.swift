// Simulated venues that speak TLS: who is believed there, what a fault of their certificates does
// to open connections and to new ones, and that nothing else is concerned.

import FeedConnections
import Foundation
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import SimulatorServer
import SocketTransport
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct VenueTLSTests {
  /// Runs venues with TLS while `body` runs.
  private func withVenues(
    _ body: (RunningVenues, VenueCertificates) async throws -> Void
  ) async throws {
    var options = SimulatedVenueOptions()
    let certificates = try VenueCertificates(host: options.host)
    options.certificates = certificates
    try await RunningVenues.with(options) { try await body($0, certificates) }
  }

  /// Opens a venue's stream; the future that comes with it is done when it has ended, with the
  /// error that was heard.
  private func open(
    _ venue: Venue, of venues: RunningVenues, trusting trust: TLSSettings
  ) async throws -> EventLoopFuture<String> {
    let loop = venues.group.next()
    let ended = loop.makePromise(of: String.self)
    do {
      _ = try await WebSocketClient.connect(
        to: venues.addresses.address(of: venue).endpoint, options: .patient(tls: trust), on: loop
      ) { _ in EndNote(ended) }.get()
    } catch {
      ended.fail(error)
      throw error
    }
    return ended.futureResult
  }

  /// Why a stream could not be opened; nil when it was.
  private func refusal(
    _ venue: Venue, of venues: RunningVenues, trusting trust: TLSSettings
  ) async throws -> TransportError? {
    do {
      _ = try await open(venue, of: venues, trusting: trust)
      return nil
    } catch {
      return try #require(error as? TransportError)
    }
  }

  private func change(_ venues: RunningVenues, _ request: String) async throws -> String {
    let client = try await RawClient.connect(port: venues.addresses.port, on: venues.group.next())
    client.send("\(request) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    try await client.waitForEnd()
    return client.text
  }

  @Test func `only who was told of the authority believes the simulated venues`() async throws {
    try await withVenues { venues, certificates in
      for venue in [Venue.bitmex, .kraken, .isin, .echo] {
        let address = venues.addresses.address(of: venue)
        #expect(address.endpoint.scheme == .wss && address.trust == certificates.trust)
        #expect(try await refusal(venue, of: venues, trusting: certificates.trust) == nil)
        #expect(
          try await refusal(venue, of: venues, trusting: .system)
            == .tls("127.0.0.1", .untrustedCertificate))
      }
      #expect(venues.addresses.address(of: .bux).endpoint.scheme == .https)
      #expect(venues.addresses.address(of: .exchange).endpoint.scheme == .tcp)
      let other = try VenueCertificates(host: "127.0.0.1")
      #expect(
        try await refusal(.kraken, of: venues, trusting: other.trust)
          == .tls("127.0.0.1", .untrustedCertificate), "the authority of another run")
    }
  }

  @Test func `a venue with TLS is nowhere without it, and each has a port of its own`()
    async throws
  {
    try await withVenues { venues, certificates in
      let plain = try await change(venues, "GET /kraken/0/public/AssetPairs")
      #expect(plain.hasPrefix("HTTP/1.1 404"), "\(plain)")
      let kraken = venues.addresses.address(of: .kraken)
      for (path, status) in [("/kraken/0/public/SystemStatus", 200), ("/bux/x", 404)] {
        let response = try await HTTPClient.get(
          kraken.endpoint.asHTTP.withTarget(path), options: .patient(tls: certificates.trust),
          on: venues.group.next()
        ).get()
        #expect(response.status == status, "\(path)")
      }
    }
  }

  @Test(arguments: [
    ("untrusted", TLSFailure.untrustedCertificate), ("expired", .expiredCertificate),
    ("wrong-name", .wrongName),
  ])
  func `a bad certificate breaks what is open, refuses what is new, and is over at its end`(
    certificate: String, failure: TLSFailure
  ) async throws {
    try await withVenues { venues, certificates in
      let trust = certificates.trust
      let ended = try await open(.kraken, of: venues, trusting: trust)
      let other = try await open(.bitmex, of: venues, trusting: trust)
      let put = try await change(venues, "PUT /faults/kraken?spec=tls=\(certificate)")
      #expect(put.contains(#"{"kraken":[{"fault":"tls=\#(certificate)"}]}"#), "\(put)")
      let words = try await ended.get()
      #expect(words.contains("DECRYPT"), "it breaks below the WebSocket: \(words)")
      #expect(
        try await refusal(.kraken, of: venues, trusting: trust) == .tls("127.0.0.1", failure))
      #expect(try await refusal(.bitmex, of: venues, trusting: trust) == nil)
      let hasEnded = NIOLockedValueBox(false)
      other.whenComplete { _ in hasEnded.withLockedValue { $0 = true } }
      #expect(try await change(venues, "DELETE /faults/kraken").contains(#"{"kraken":[]}"#))
      #expect(try await refusal(.kraken, of: venues, trusting: trust) == nil)
      #expect(!hasEnded.withLockedValue { $0 }, "the other venue's connection stays")
    }
  }

  @Test func `without TLS there is none to break, and that is said`() async throws {
    try await RunningVenues.with { venues in
      let answer = try await change(venues, "PUT /faults/kraken?spec=tls")
      #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("needs --tls FILE"), "\(answer)")
    }
    let run = try await CommandRun.livetape("simulate", "--faults", "kraken:tls=expired")
    #expect(run.status == 2 && run.errors.contains("speaks without TLS here"), "\(run.errors)")
    let exchange = try await CommandRun.livetape(
      "simulate", "--tls", "/no/such/folder/file", "--faults", "exchange:tls")
    #expect(exchange.status == 2 && exchange.errors.contains("plain TCP"), "\(exchange.errors)")
    let nowhere = try await CommandRun.livetape("simulate", "--tls", "/no/such/folder/file")
    #expect(nowhere.status == 1 && nowhere.errors.contains("can't be written"), "\(nowhere.errors)")
  }

  @Test func `a client of another process takes the authority from a file`() async throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path).appending(path: "authority.pem")
    try await withVenues { venues, certificates in
      try Data(certificates.authority.utf8).write(to: file)
      let url = venues.addresses.url(of: .kraken)
      let arguments = ["history", "kraken:BTC/USD", "--url", url, "--interval", "1h", "--json"]
      let stranger = try await CommandRun.run(arguments)
      #expect(stranger.status == 1 && stranger.output.isEmpty, "\(stranger.output)")
      let told = try await CommandRun.run(arguments + ["--venue-authority", file.path])
      #expect(told.status == 0 && !told.objects.isEmpty, "\(told.errors)")
    }
    let none = try await CommandRun.livetape(
      "history", "kraken:BTC/USD", "--url", "wss://127.0.0.1:1/v2", "--venue-authority", "/no/file")
    #expect(none.status == 1 && none.errors.contains("holds no certificate"), "\(none.errors)")
    // Where nothing could trust it, it is not left out in silence.
    for arguments in [
      ["history", "kraken:BTC/USD"], ["watch", "kraken:BTC/USD"],
      ["history", "kraken:BTC/USD", "--url", "wss://ws.kraken.com/v1"],
    ] {
      let vain = try await CommandRun.run(arguments + ["--venue-authority", file.path])
      #expect(vain.status == 2 && vain.errors.contains("none is given"), "\(vain.errors)")
    }
  }

  @Test func `the authority of a run takes the place of an older one, and of nothing else`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path).appending(path: "notes.txt")
    try Data("dear diary".utf8).write(to: file)
    let run = try await CommandRun.livetape("simulate", "--tls", file.path)
    #expect(run.status == 1 && run.errors.contains("name another file"), "\(run.errors)")
    #expect(try Data(contentsOf: file) == Data("dear diary".utf8))
  }
}

/// Says when a WebSocket has ended, with the first error that it heard.
private final class EndNote: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage

  private let ended: EventLoopPromise<String>
  private var error = "no error"

  init(_ ended: EventLoopPromise<String>) { self.ended = ended }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if self.error == "no error" { self.error = String(describing: error) }
  }

  func channelInactive(context: ChannelHandlerContext) { ended.succeed(error) }
}
