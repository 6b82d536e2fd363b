import {
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  useLoaderData,
} from 'react-router';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { setting } from '#shared/settings.ts';
import { sharePath } from './contract.ts';
import { openShare } from './service.server.ts';
import { renderedMessages } from './shared-markdown.server.tsx';
import { SharedPage } from './web/shared-page.tsx';

/** Read anew each time, so that none outlives its end. */
export const handle: PageHandle = { page: 'public', cache: false };

/** Its address is what opens it: no other site is told. */
export const headers: HeadersFunction = ({ loaderHeaders }) => {
  const robots = loaderHeaders.get('x-robots-tag');
  return {
    'cache-control': 'private, no-store',
    'referrer-policy': 'same-origin',
    ...(robots ? { 'x-robots-tag': robots } : {}),
  };
};

/** Marks that turn the direction of what stands beside the title. */
const withoutMarks = (title: string) => title.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

export async function loader({ params }: LoaderFunctionArgs) {
  const page = await openShare(params.id ?? '');
  if (!page) throw data(null, { status: 404 });
  const facts = {
    id: page.id,
    title: withoutMarks(page.title),
    isReply: page.message_id !== null,
    owner: page.show_name ? withoutMarks(page.owner) : null,
    updatedAt: page.updated_at.toISOString(),
    indexed: page.indexed,
    messages: await renderedMessages(page),
    publicUrl: config().publicUrl,
  };
  return data(facts, page.indexed ? {} : { headers: { 'x-robots-tag': 'noindex, nofollow' } });
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [{ name: 'robots', content: 'noindex' }];
  const { id, title, indexed, publicUrl } = loaderData;
  const description = m.shared_description({ brand: setting('brand.name') });
  if (!indexed) return [...unindexedMeta(title), { name: 'description', content: description }];
  return pageMeta({ title, description, path: sharePath(id), publicUrl, englishOnly: true, type: 'article' });
};

export default function SharedRoute() {
  return <SharedPage page={useLoaderData<typeof loader>()} />;
}
