import type { MetaDescriptor } from 'react-router';
import { site } from '../../../../content/site.ts';
import { seller } from '../../../features/credits/contract.ts';
import { type CardWords, cardSize } from '../../../platform/cards/words.ts';
import { pageMeta } from '../../../shared/page-meta.ts';

interface PageWords {
  path: string;
  title: string;
  description: string;
}

/** What pages of our own words say of themselves, in their head and on their social card. */
const words = {
  home: { path: '/', title: site.title, description: site.description },
  tools: {
    path: '/tools',
    title: 'AI tools: writer, scripts, images, PDF, prompts',
    description: `Five tools of ${site.name} beside the chat: what each one takes in, what comes out, what it costs on the free plan and on Pro, and a look at its work.`,
  },
  pricing: {
    path: '/pricing',
    title: 'Pricing',
    description: `What ${site.name} costs: a free plan with credits to start, and Pro by the month, the quarter or the year, with what each includes.`,
  },
  'use-cases': {
    path: '/use-cases',
    title: 'Use cases: six jobs and six fields',
    description: `Six jobs that ${site.name} is made for, with what you bring, what you get and what you still have to check, and where to begin in six fields of work.`,
  },
  about: {
    path: '/about',
    title: 'About',
    description: `What ${site.name} is and is not: an independent place to work with models of others, paid by its users through ${seller}, with promises that can be checked.`,
  },
} satisfies Record<string, PageWords>;

export type WordedPage = keyof typeof words;

/** Whether a text from outside names a page with words of its own. */
export const isWordedPage = (name: string): name is WordedPage => Object.hasOwn(words, name);

/** The words of a page's social card; at its foot the address that people would type. */
export function cardWords(page: WordedPage, publicUrl: string): CardWords {
  const { title, description, path } = words[page];
  const address = new URL(publicUrl).host + (path === '/' ? '' : path);
  return { eyebrow: site.name, title, text: description, foot: address };
}

/** Title, description, canonical address and social tags of a page, its card among them. */
export function wordsMeta(page: WordedPage, publicUrl: string): MetaDescriptor[] {
  const image = { path: `/cards/${page}.png`, ...cardSize, alt: words[page].title };
  return pageMeta({ ...words[page], publicUrl, image });
}
