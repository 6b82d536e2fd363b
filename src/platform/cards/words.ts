/** What a social card says. */
export interface CardWords {
  /** Above the title, such as the name of a section. */
  eyebrow: string;
  title: string;
  /** Below the title. */
  text: string;
  /** At the foot, such as the name of the site. */
  foot: string;
}

/** Pixels, as networks show a large card (ogp.me names no size; 1.91:1 is what they cut to). */
export const cardSize = { width: 1200, height: 630 };
