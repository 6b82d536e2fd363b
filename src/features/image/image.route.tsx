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
import { type ImageJob, type ImagePage, isImageSize } from './contract.ts';
import { listJobs, openJob } from './service.server.ts';
import { type ImagePageData, ImagePageView } from './web/image-page.tsx';
import { jobTitle } from './web/job-title.ts';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches, params }) =>
  toolMeta({
    matches,
    params,
    title: 'Image Generator',
    open: loaderData?.job ? jobTitle(loaderData.job.prompt) : undefined,
    description: 'Describe a picture and get up to four of it as PNG of exactly the size you chose.',
    path: '/tools/image',
  });

const none: ImagePage = { jobs: [], next: null };

/** Null for a stranger's, a deleted or a missing one. */
const found = (job: Promise<ImageJob>) =>
  job.catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  });

/** `/tools/image` is public to read; `/tools/image/:id` is its owner's. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const { id } = params;
  const asked = new URL(request.url).searchParams;
  const size = asked.get('size');
  const query = { q: asked.get('q') ?? '', size: isImageSize(size) ? size : '' };
  if (actor.kind !== 'user') {
    if (id) throw redirectDocument(`/sign-in?next=${encodeURIComponent(`/tools/image/${id}`)}`);
    return data<ImagePageData>({ me: null, page: none, query, job: null, missing: false });
  }
  const [person, page, job] = await Promise.all([
    me({ actor }),
    id ? none : listJobs({ actor, input: query }),
    id ? found(openJob({ actor, input: { id } })) : null,
  ]);
  const missing = id !== undefined && job === null;
  return data<ImagePageData>({ me: person, page, query, job, missing }, { status: missing ? 404 : 200 });
}

export default function ImageRoute() {
  return <ImagePageView data={useLoaderData<typeof loader>()} />;
}
