import type { MetaDescriptor } from 'react-router';
import { setting } from '#shared/settings.ts';
import { alternates, localizedPath } from './language-path.ts';
import { pageTitle, unindexedMeta } from './page-title.ts';
import { cardSize } from './social-card.ts';

interface PageTexts {
  title: string;
  description: string;
  path: string;
  publicUrl: string;
  /** Social card, in pixels. Defaults to the site's icon. */
  image?: { path: string; width: number; height: number; alt: string };
  englishOnly?: boolean;
  /** Type by ogp.me. The page adds the properties of its type. */
  type?: 'website' | 'article';
}

export function pageMeta(texts: PageTexts): MetaDescriptor[] {
  const { title, description, path, publicUrl, image, type = 'website', englishOnly } = texts;
  const [fullTitle, url] = [pageTitle(title), `${publicUrl}${englishOnly ? path : localizedPath(path)}`];
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    ...(englishOnly ? [] : alternates(path)).map(({ language, path: other }) => ({
      tagName: 'link',
      rel: 'alternate',
      hrefLang: language,
      href: publicUrl + other,
    })),
    { property: 'og:type', content: type },
    { property: 'og:site_name', content: setting('brand.name') },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { name: 'twitter:card', content: image ? 'summary_large_image' : 'summary' },
    ...pictureTags(image ?? icon(), publicUrl),
  ];
}

const icon = () => ({ path: '/icon-512.png', width: 512, height: 512, alt: setting('brand.name') });

/** ogp.me requires an image on every page. */
const pictureTags = ({ path, width, height, alt }: NonNullable<PageTexts['image']>, publicUrl: string) => [
  { property: 'og:image', content: `${publicUrl}${path}` },
  { property: 'og:image:width', content: String(width) },
  { property: 'og:image:height', content: String(height) },
  { property: 'og:image:alt', content: alt },
];

interface ToolTexts extends Omit<PageTexts, 'publicUrl' | 'image' | 'type'> {
  /** From React Router's meta function; the root loader has the site's address. */
  matches: ReadonlyArray<{ id: string; loaderData?: unknown } | undefined>;
  params: { id?: string };
  open?: string;
  card?: string;
}

/** An opened item (`params.id`) is not indexed. */
export function toolMeta({ matches, params, open, card, ...texts }: ToolTexts): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === 'root')?.loaderData;
  const image = card ? { path: `/cards/${card}.png`, ...cardSize, alt: texts.title } : undefined;
  if (!params.id)
    return pageMeta({ ...texts, publicUrl: String(Object(root).publicUrl), ...(image && { image }) });
  return [...unindexedMeta(open ?? texts.title), { name: 'description', content: texts.description }];
}
