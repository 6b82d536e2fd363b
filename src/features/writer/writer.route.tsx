import {
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
  useLoaderData,
} from 'react-router';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { toolMeta } from '../../shared/page-meta.ts';
import { me } from '../accounts/users/service.server.ts';
import { listWorks, openWork } from '../works/service.server.ts';
import './web/document/document.css';
import './web/writer.css';
import { WriterPage, type WriterPageData } from './web/writer-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction = ({ matches, params }) =>
  toolMeta({
    matches,
    params,
    title: 'AI Writer',
    description:
      'Blog posts, articles, marketing copy, social posts and emails of a promised length, with versions, edits of any passage and export to Word and PDF.',
    path: '/tools/writer',
  });

const feature = 'writer';

/** `/tools/writer` is a new text, `/tools/writer/:id` one of the person's; `?version=` an older version of it. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const { id } = params;
  const version = new URL(request.url).searchParams.get('version') ?? undefined;
  if (actor.kind !== 'user') {
    if (id) throw redirectDocument(`/sign-in?next=${encodeURIComponent(`/tools/writer/${id}`)}`);
    return { me: null, work: null, works: [], next: null, missing: false } satisfies WriterPageData;
  }
  const wanted = async () => (id ? openWork({ actor, input: { id, version, feature } }) : null);
  const [person, list, work] = await Promise.all([
    me({ actor }),
    listWorks({ actor, input: { feature } }),
    wanted().catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return 'missing' as const;
      throw error;
    }),
  ]);
  const missing = work === 'missing';
  const page: WriterPageData = { me: person, ...list, work: missing ? null : work, missing };
  return data(page, { status: missing ? 404 : 200 });
}

export default function WriterRoute() {
  return <WriterPage data={useLoaderData<typeof loader>()} />;
}
