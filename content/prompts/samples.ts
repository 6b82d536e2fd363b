import made from '../samples/made.json' with { type: 'json' };
import nook from '../samples/nook.webp?url';
import saturn from '../samples/saturn.webp?url';
import thermos from '../samples/thermos.webp?url';
import whale from '../samples/whale.webp?url';
import samples from './samples.json' with { type: 'json' };

/** What a prompt can lead to, called a sample. All names and figures in them are invented. */
export interface PromptSample {
  /** What was filled in, in a few words. */
  filled: string;
  text?: string;
  picture?: { url: string; alt: string; width: number; height: number };
  /** The model that made it; null: it was written or drawn for the page. */
  model: string | null;
}

const square = { width: 600, height: 600 };

/** By the slug of the prompt, as in samples.json. */
const pictures: Readonly<Record<string, PromptSample['picture']>> = {
  'product-photo-on-surface': {
    url: thermos,
    alt: 'A matte black thermos on pale stone, lit from the left',
    ...square,
  },
  'isometric-room': {
    url: nook,
    alt: 'Isometric reading nook with a yellow armchair and a bookcase',
    ...square,
  },
  'poster-without-text': { url: saturn, alt: 'Saturn above dark hills, with a small rocket', ...square },
  'storybook-illustration': {
    url: whale,
    alt: 'Paper-cut whale below a small sailing boat',
    width: 600,
    height: 400,
  },
};

/** By the slug of the prompt; most have none. */
export const promptSamples: Readonly<Record<string, PromptSample>> = Object.fromEntries(
  Object.entries(samples).map(([slug, sample]) => {
    const picture = pictures[slug];
    return [slug, { ...sample, picture, model: picture ? made.images : made.texts }];
  }),
);
