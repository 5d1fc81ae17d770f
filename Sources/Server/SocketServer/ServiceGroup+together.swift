package import Logging
package import ServiceLifecycle

extension ServiceGroup {
  /// A group of interdependent services: when one ends or fails, the others stop gracefully.
  ///
  /// ``run()`` throws the error of the first failing service.
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
