import { type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { featureTable } from '#features/credits/contract.ts';
import { loadTool } from '#features/tools/service.server.ts';
import { m } from '#messages';
import type { PageHandle } from '#shared/page-handle.ts';
import { toolMeta } from '#shared/page-meta.ts';
import { type ImagePage, isImageSize } from './contract.ts';
import { listJobs, openJob } from './service.server.ts';
import { ImagePageView } from './web/image-page.tsx';
import { jobTitle } from './web/job-title.ts';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches, params }) =>
  toolMeta({
    matches,
    params,
    title: loaderData?.me ? featureTable.image.name : m.image_landing_title(),
    open: loaderData?.opened ? jobTitle(loaderData.opened.prompt) : undefined,
    description: m.image_landing_description(),
    path: '/tools/image',
    card: 'image',
  });

const emptyPage: ImagePage = { jobs: [], next: null };

export function loader(args: LoaderFunctionArgs) {
  const searchParams = new URL(args.request.url).searchParams;
  const size = searchParams.get('size');
  const query = { q: searchParams.get('q') ?? '', size: isImageSize(size) ? size : ('' as const) };
  return loadTool(args, {
    feature: 'image',
    open: (actor, id) => openJob({ actor, input: { id } }),
    list: async (actor) => ({
      query,
      page: args.params.id ? emptyPage : await listJobs({ actor, input: query }),
    }),
    emptyList: { query, page: emptyPage },
  });
}

export default function ImageRoute() {
  return <ImagePageView data={useLoaderData<typeof loader>()} />;
}
