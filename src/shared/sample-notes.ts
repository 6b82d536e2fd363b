import made from '#content/samples/made.json' with { type: 'json' };
import { m } from '#messages';

const model: string | null = made.images;

/** Where the images of content/samples come from. */
export const sampleImagesNote = (): string =>
  model === null ? m.images_samples_note() : m.samples_made({ model });
