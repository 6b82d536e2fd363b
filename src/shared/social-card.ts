/** Pixels. Networks crop large cards to 1.91:1 (ogp.me names no size). */
export const cardSize = { width: 1200, height: 630 };
