import type { MetaDescriptor } from 'react-router';
import { seller, welcomeCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import type { CardContent } from '#platform/social-cards/card-content.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { setting } from '#shared/settings.ts';
import { cardSize } from '#shared/social-card.ts';
import { toolEntries } from '../tools/tool-entries.ts';

const namedPages = {
  home: { path: '/', title: m.home_title, description: m.home_description },
  tools: { path: '/tools', title: m.tools_page_title, description: m.tools_page_description },
  pricing: { path: '/pricing', title: m.pricing_page_title, description: m.pricing_page_description },
  'use-cases': {
    path: '/use-cases',
    title: m.use_cases_page_title,
    description: m.use_cases_page_description,
  },
  about: { path: '/about', title: m.about_page_title, description: m.about_page_description },
};

const textsOf = (page: NamedPage) => ({
  title: namedPages[page].title(),
  description: namedPages[page].description({
    name: setting('brand.name'),
    count: toolEntries().length,
    credits: welcomeCredits(),
    seller,
  }),
});

export type NamedPage = keyof typeof namedPages;

export const isNamedPage = (name: string): name is NamedPage => Object.hasOwn(namedPages, name);

export function socialCardText(page: NamedPage, publicUrl: string): CardContent {
  const { path } = namedPages[page];
  const { title, description } = textsOf(page);
  const address = new URL(publicUrl).host + (path === '/' ? '' : path);
  return { eyebrow: setting('brand.name'), title, text: description, foot: address };
}

export function namedPageMeta(page: NamedPage, publicUrl: string): MetaDescriptor[] {
  const texts = textsOf(page);
  const image = { path: `/cards/${page}.png`, ...cardSize, alt: texts.title };
  return pageMeta({ path: namedPages[page].path, ...texts, publicUrl, image });
}
