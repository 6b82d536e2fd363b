import { data, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { sampleScript } from '#content/sample-script.ts';
import { featureTable } from '#features/credits/contract.ts';
import { loadTextTool } from '#features/tools/service.server.ts';
import { m } from '#messages';
import type { PageHandle } from '#shared/page-handle.ts';
import { toolMeta } from '#shared/page-meta.ts';
import { ScriptPage, type ScriptPageData } from './web/script-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches, params }) =>
  toolMeta({
    matches,
    params,
    title: loaderData?.me ? featureTable.script.name : m.script_landing_title(),
    description: m.script_landing_description(),
    path: '/tools/script',
    card: 'script',
  });

export async function loader(args: LoaderFunctionArgs) {
  const loaded = await loadTextTool(args, 'script');
  return data<ScriptPageData>({ ...loaded.data, sample: sampleScript }, loaded.init ?? {});
}

export default function ScriptRoute() {
  return <ScriptPage data={useLoaderData<typeof loader>()} />;
}
