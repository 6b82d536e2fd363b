import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { setting } from '#shared/settings.ts';
import { sharePath } from './contract.ts';
import { receiveReport } from './report-form.server.ts';
import { openShare } from './service.server.ts';
import { renderedMessages } from './shared-markdown.server.tsx';
import { SharedPage } from './web/shared-page.tsx';

/** Read anew each time, so that none outlives its end. */
export const handle: PageHandle = { page: 'public', cache: false };

/** Its address is what opens it: no other site is told. */
export const headers: HeadersFunction = ({ loaderHeaders, actionHeaders }) => {
  const robots = loaderHeaders.get('x-robots-tag');
  const retryAfter = actionHeaders.get('retry-after');
  return {
    'cache-control': 'private, no-store',
    'referrer-policy': 'same-origin',
    ...(robots ? { 'x-robots-tag': robots } : {}),
    ...(retryAfter ? { 'retry-after': retryAfter } : {}),
  };
};

/** Marks that turn the direction of what stands beside the title. */
const withoutMarks = (title: string) => title.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

const missing = () => data(null, { status: 404 });

export async function loader({ params, request }: LoaderFunctionArgs) {
  const page = await openShare(params.id ?? '');
  if (!page) throw missing();
  const facts = {
    id: page.id,
    title: withoutMarks(page.title),
    isReply: page.message_id !== null,
    owner: page.show_name ? withoutMarks(page.owner) : null,
    updatedAt: page.updated_at.toISOString(),
    indexed: page.indexed,
    messages: await renderedMessages(page),
    publicUrl: config().publicUrl,
    reported: new URL(request.url).searchParams.has('reported'),
    opened: Date.now(),
  };
  return data(facts, page.indexed ? {} : { headers: { 'x-robots-tag': 'noindex, nofollow' } });
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const shareId = params.id ?? '';
  const { clientAddress, requestId } = context.get(pageContext);
  const form = await request.formData();
  if (form.get('intent') !== 'report' || !(await openShare(shareId))) throw missing();
  const refused = await receiveReport(form, { shareId, clientAddress, requestId });
  if (refused === 'missing') throw missing();
  if (refused === null) return redirect(`${sharePath(shareId)}?reported`, 303);
  return data(refused, { status: refused.status, headers: refused.headers });
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [{ name: 'robots', content: 'noindex' }];
  const { id, title, indexed, publicUrl } = loaderData;
  const description = m.shared_description({ brand: setting('brand.name') });
  if (!indexed) return [...unindexedMeta(title), { name: 'description', content: description }];
  return pageMeta({ title, description, path: sharePath(id), publicUrl, englishOnly: true, type: 'article' });
};

export default function SharedRoute() {
  const { reported, opened, ...page } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() ?? null;
  const report = {
    typed: refused?.typed ?? null,
    error: refused?.error ?? null,
    opened: refused?.typed.opened ?? opened,
  };
  return <SharedPage page={page} report={report} reported={reported && !refused} />;
}
