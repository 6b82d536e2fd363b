import made from '#content/samples/made.json' with { type: 'json' };
import { m } from '#messages';

const model: string | null = made.images;

/** Says how the images of content/samples were made. */
export const sampleImagesNote = (): string =>
  model === null ? m.images_samples_note() : m.samples_made({ model });
