import { type LoaderFunctionArgs, type MetaFunction, redirectDocument, useLoaderData } from 'react-router';
import { blogPath, parseBlogQuery } from '#features/blog/contract.ts';
import { findArticles } from '#features/blog/service.server.ts';
import { feedLinks } from '#features/blog/web/article-meta.ts';
import { BlogPage } from '#features/blog/web/blog-page.tsx';
import { NewsletterBox } from '#features/support/web/newsletter/newsletter-form.tsx';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { setting } from '#shared/settings.ts';

export const handle: PageHandle = { page: 'public', query: ['q', 'category'] };

export function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const query = parseBlogQuery(searchParams);
  // Removes empty parameters, because the form also sends its empty fields.
  if (['q', 'category'].some((name) => searchParams.get(name) === ''))
    throw redirectDocument(blogPath(query));
  return {
    query,
    ...findArticles(query),
    publicUrl: config().publicUrl,
    mailbox: config().mailbox,
  };
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => [
  ...pageMeta({
    title: m.blog_title(),
    description: m.blog_description({ brand: setting('brand.name') }),
    path: '/blog',
    publicUrl: loaderData?.publicUrl ?? '',
  }),
  ...feedLinks(),
];

export default function Blog() {
  const { mailbox, ...data } = useLoaderData<typeof loader>();
  return (
    <BlogPage data={data}>
      <NewsletterBox source="/blog" mailbox={mailbox} />
    </BlogPage>
  );
}
