import { m } from '#messages';

/** Text that replaces an image, because images are never loaded. */
export const imageLabel = (alt: string, host: string): string =>
  alt ? m.link_image_named({ alt, host }) : m.link_image({ host });
