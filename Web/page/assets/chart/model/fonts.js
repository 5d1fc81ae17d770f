// The font of a chart's labels, for whoever measures and whoever paints.

const PIXELS = 11;

/**
 * @param {string} family
 * @param {number} ratio
 */
export const fontOf = (family, ratio, weight = 400) => `${weight} ${PIXELS * ratio}px ${family}`;
