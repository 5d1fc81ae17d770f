// Services that can't do without each other: when one ends or fails, the others stop gracefully.

package import Logging
package import ServiceLifecycle

extension ServiceGroup {
  /// A group that stops as a whole; ``run()`` throws what the first failing service threw.
  package static func together(_ services: [any Service], logger: Logger) -> ServiceGroup {
    ServiceGroup(
      configuration: .init(
        services: services.map {
          .init(
            service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .gracefullyShutdownGroup)
        }, logger: logger))
  }
}
