import {
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
  useLoaderData,
} from 'react-router';
import { sampleScript } from '../../../content/sample-script.ts';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { toolMeta } from '../../shared/page-meta.ts';
import { me } from '../accounts/users/service.server.ts';
import { listWorks, openWork } from '../works/service.server.ts';
import { ScriptPage, type ScriptPageData } from './web/script-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction = ({ matches, params }) =>
  toolMeta({
    matches,
    params,
    title: 'Script Generator',
    description:
      'A screenplay out of your scene: real layout, scene list, page and time estimate, one scene rewritten at a time, export to Final Draft, Fountain and PDF.',
    path: '/tools/script',
  });

/** `/tools/script` is a new script, `/tools/script/:id` one of the person's; `?version=` an older version of it. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const { id } = params;
  if (actor.kind !== 'user') {
    if (id) throw redirectDocument(`/sign-in?next=${encodeURIComponent(`/tools/script/${id}`)}`);
    const guest: ScriptPageData = {
      me: null,
      work: null,
      list: { works: [], next: null },
      missing: false,
      sample: sampleScript,
    };
    return guest;
  }
  const version = new URL(request.url).searchParams.get('version') ?? undefined;
  const [person, list, work] = await Promise.all([
    me({ actor }),
    listWorks({ actor, input: { feature: 'script' } }),
    id
      ? openWork({ actor, input: { id, version, feature: 'script' } }).catch((error: unknown) => {
          if (error instanceof Problem && error.code === 'not_found') return 'missing' as const;
          throw error;
        })
      : null,
  ]);
  const missing = work === 'missing';
  const page: ScriptPageData = {
    me: person,
    list,
    work: missing ? null : work,
    missing,
    sample: sampleScript,
  };
  return data(page, { status: missing ? 404 : 200 });
}

export default function ScriptRoute() {
  return <ScriptPage data={useLoaderData<typeof loader>()} />;
}
