import { type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { featureTable } from '#features/credits/contract.ts';
import { loadTextTool } from '#features/tools/service.server.ts';
import { m } from '#messages';
import type { PageHandle } from '#shared/page-handle.ts';
import { toolMeta } from '#shared/page-meta.ts';
import '#ui/conversation.css';
import './web/document/text-document.css';
import { WriterPage } from './web/writer-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches, params }) =>
  toolMeta({
    matches,
    params,
    title: loaderData?.me ? featureTable.writer.name : m.writer_landing_title(),
    description: m.writer_landing_description(),
    path: '/tools/writer',
    card: 'writer',
  });

export const loader = (args: LoaderFunctionArgs) => loadTextTool(args, 'writer');

export default function WriterRoute() {
  return <WriterPage data={useLoaderData<typeof loader>()} />;
}
