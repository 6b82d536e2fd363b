/** Pixels, as networks show a large card (ogp.me names no size; 1.91:1 is what they cut to). */
export const cardSize = { width: 1200, height: 630 };
