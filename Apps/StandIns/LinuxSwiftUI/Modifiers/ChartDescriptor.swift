public import Foundation

/// An axis of a chart.
public protocol AXDataAxisDescriptor: AnyObject {}

/// An axis of numbers.
public class AXNumericDataAxisDescriptor: NSObject, AXDataAxisDescriptor {
  /// The title.
  @_spi(Host) public let title: String
  /// The lowest and the highest value.
  public var range: ClosedRange<Double>
  /// A value in words.
  public var valueDescriptionProvider: (Double) -> String

  /// An axis of numbers.
  public init(
    title: String, range: ClosedRange<Double>, gridlinePositions: [Double],
    valueDescriptionProvider: @escaping (Double) -> String
  ) {
    (self.title, self.range) = (title, range)
    self.valueDescriptionProvider = valueDescriptionProvider
  }
}

/// A point of a series.
public class AXDataPoint: NSObject {
  /// Its values.
  @_spi(Host) public let place: (x: Double, y: Double?)

  /// A point of a numeric axis.
  public init(x: Double, y: Double? = nil) { place = (x, y) }
}

/// A series of points.
public class AXDataSeriesDescriptor: NSObject {
  /// Its points.
  public var dataPoints: [AXDataPoint]

  /// A series of points.
  public init(name: String, isContinuous: Bool, dataPoints: [AXDataPoint]) {
    self.dataPoints = dataPoints
  }
}

/// A chart as screen readers present it.
public class AXChartDescriptor: NSObject {
  /// The title.
  public var title: String?
  /// What the chart shows.
  public var summary: String?
  /// The horizontal axis.
  public var xAxis: any AXDataAxisDescriptor
  /// The vertical axis.
  public var yAxis: AXNumericDataAxisDescriptor?
  /// The series.
  public var series: [AXDataSeriesDescriptor]

  /// A chart of two axes.
  public init(
    title: String? = nil, summary: String? = nil, xAxis: any AXDataAxisDescriptor,
    yAxis: AXNumericDataAxisDescriptor? = nil, series: [AXDataSeriesDescriptor]
  ) {
    (self.title, self.summary, self.xAxis, self.yAxis) = (title, summary, xAxis, yAxis)
    self.series = series
  }
}

/// Describes a chart when a screen reader requests it.
public protocol AXChartDescriptorRepresentable {
  func makeChartDescriptor() -> AXChartDescriptor
  func updateChartDescriptor(_ descriptor: AXChartDescriptor)
}

extension AXChartDescriptorRepresentable {
  /// Keeps the description.
  public func updateChartDescriptor(_ descriptor: AXChartDescriptor) {}
}

extension View {
  /// Describes the view as a chart.
  public func accessibilityChartDescriptor<R: AXChartDescriptorRepresentable>(
    _ representable: R
  ) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, context in
      // Made once for a view, then updated.
      let kept = context.element.stored(0) { representable.makeChartDescriptor() }
      representable.updateChartDescriptor(kept)
      node.chart = kept
    }
    return modified
  }
}
