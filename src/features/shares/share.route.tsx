import { randomUUID } from 'node:crypto';
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
import { config } from '#platform/config/config.server.ts';
import type { Actor } from '#platform/http/actor.server.ts';
import { toProblem } from '#platform/http/error-mapper.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { utcDate } from '#shared/format-date.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { setting } from '#shared/settings.ts';
import { continueScript } from './continue-script.ts';
import { continueShare } from './continue-share.server.ts';
import { sharePath } from './contract.ts';
import { receiveReport, reportFields, type TypedReport } from './report-form.server.ts';
import { openShare } from './service.server.ts';
import { renderedContent } from './shared-content.server.tsx';
import { descriptions, kindNames } from './web/shared-kinds.ts';
import { SharedPage } from './web/shared-page.tsx';

export const handle: PageHandle = { page: 'public', cache: 'never', script: continueScript };

/** The address alone opens the page, so it is not sent to other sites as a referrer. */
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

/** Removes marks that change the direction of text next to the title. */
const removeDirectionMarks = (title: string) => title.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

const notFound = () => data(null, { status: 404 });

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const page = await openShare(params.id ?? '');
  if (!page) throw notFound();
  const content = await renderedContent(page);
  const facts = {
    path: sharePath(page.id),
    kind: page.kind,
    // Some images may have been deleted.
    count: 'images' in content ? content.images.length : page.count,
    // The title of images is the prompt of the first one, which the owner may hide.
    title:
      page.kind === 'images' && (!page.show_prompts || page.count > 1)
        ? null
        : removeDirectionMarks(page.title),
    owner: page.show_name ? removeDirectionMarks(page.owner) : null,
    date: { iso: page.updated_at.toISOString(), text: utcDate(page.updated_at) },
    indexed: page.indexed,
    content,
    publicUrl: config().publicUrl,
    reported: query.has('reported'),
    form: reportFields(),
    copy: {
      signedIn: context.get(pageContext).actor.kind === 'user',
      copyId: randomUUID(),
      afterSignIn: query.has('continue'),
    },
  };
  return data(facts, page.indexed ? {} : { headers: { 'x-robots-tag': 'noindex, nofollow' } });
}

interface RefusedForm {
  report: { typed: TypedReport; error: string } | null;
  /** Why the copy failed. */
  error: string | null;
}

const refuse = (
  refused: Partial<RefusedForm>,
  { status, headers }: { status: number; headers: HeadersInit },
) => data<RefusedForm>({ report: null, error: null, ...refused }, { status, headers });

async function copyShare(actor: Actor, shareId: string, copyId: string, requestId: string) {
  if (actor.kind !== 'user')
    return redirect(`/sign-in?next=${encodeURIComponent(`${sharePath(shareId)}?continue`)}`, 303);
  try {
    return redirect(await continueShare({ actor, input: { shareId, copyId } }), 303);
  } catch (error) {
    const problem = toProblem(error, requestId, sharePath(shareId));
    if (problem.code === 'not_found') throw notFound();
    return refuse({ error: problem.message }, problem);
  }
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const shareId = params.id ?? '';
  const { actor, clientAddress, requestId } = context.get(pageContext);
  const form = await request.formData();
  if (!(await openShare(shareId))) throw notFound();
  if (form.get('intent') === 'continue')
    return copyShare(actor, shareId, String(form.get('copy') ?? ''), requestId);
  if (form.get('intent') !== 'report') throw notFound();
  const refused = await receiveReport(form, { shareId, clientAddress, requestId });
  if (refused === 'missing') throw notFound();
  if (refused === null) return redirect(`${sharePath(shareId)}?reported`, 303);
  return refuse({ report: refused }, refused);
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [{ name: 'robots', content: 'noindex' }];
  const { path, kind, count, indexed, publicUrl, content } = loaderData;
  const title = loaderData.title ?? kindNames[kind]({ count });
  const description = descriptions[kind]({ brand: setting('brand.name'), count });
  if (!indexed) return [...unindexedMeta(title), { name: 'description', content: description }];
  const first = 'images' in content ? content.images[0] : undefined;
  const image = first && { ...first, alt: first.prompt ?? title };
  return pageMeta({
    ...{ title, description, path, publicUrl, englishOnly: true, type: 'article' },
    ...(image && { image }),
  });
};

export default function SharedRoute() {
  const { reported, form, copy, ...page } = useLoaderData<typeof loader>();
  const { report = null, error = null } = useActionData<typeof action>() ?? {};
  const shownReport = {
    typed: report?.typed ?? null,
    error: report?.error ?? null,
    ...form,
    opened: report?.typed.opened ?? form.opened,
  };
  return (
    <SharedPage
      page={page}
      report={shownReport}
      continuing={{ ...copy, error }}
      reported={reported && report === null}
    />
  );
}
