import { m } from '#messages';

/** What stands in place of an image, which is never loaded. */
export const imageLabel = (alt: string, host: string): string =>
  alt ? m.link_image_named({ alt, host }) : m.link_image({ host });
