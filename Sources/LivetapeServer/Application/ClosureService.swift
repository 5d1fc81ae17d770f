// A service that is one function.

import ServiceLifecycle

/// Runs a function as a service.
struct ClosureService: Service {
  let body: @Sendable () async throws -> Void

  init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

  func run() async throws { try await body() }
}
