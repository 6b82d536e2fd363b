import { type ActionFunctionArgs, data, type MetaFunction, useActionData, useLoaderData } from 'react-router';
import { allArticles } from '#features/blog/service.server.ts';
import { ArticleLinks } from '#features/blog/web/article-links.tsx';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { formHeaders } from '#platform/http/form-headers.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { Notice } from '#ui/notice.tsx';
import { ConfirmationMailHelp, NewsletterForm } from '../web/newsletter/newsletter-form.tsx';
import { NewsletterPage } from '../web/newsletter/newsletter-page.tsx';
import { confirmDays, newsletterHoneypotField, newsletterPaths, validSource } from './newsletter-contract.ts';
import { requestSubscription } from './newsletter-subscription.server.ts';

export const handle: PageHandle = { page: 'public', cache: false };

export const meta: MetaFunction = () => unindexedMeta(m.newsletter_title());

export const headers = formHeaders;

export const loader = () => ({
  mailbox: config().mailbox,
  latest: allArticles()
    .slice(0, 3)
    .map(({ slug, title, section, words }) => ({ slug, title, section, words })),
});

type View = { state: 'form'; email: string; source: string; error: string } | { state: 'asked' };

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const field = (name: string) => String(form.get(name) ?? '').slice(0, 320);
  const [email, source] = [field('email'), validSource(field('source'))];
  try {
    const { clientAddress } = context.get(pageContext);
    await requestSubscription({ email, source, trap: field(newsletterHoneypotField) }, clientAddress);
    return data<View>({ state: 'asked' });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const view: View = { state: 'form', email, source, error: error.message };
    return data<View>(view, { status: error.status, headers: error.headers });
  }
}

export default function Newsletter() {
  const { mailbox, latest } = useLoaderData<typeof loader>();
  const view: View | undefined = useActionData<typeof action>();
  if (view?.state === 'asked')
    return (
      <NewsletterPage title={m.sign_in_check_email()}>
        <Notice kind="success" live>
          {m.newsletter_asked({ days: confirmDays })}
        </Notice>
        <ConfirmationMailHelp mailbox={mailbox} blog />
      </NewsletterPage>
    );
  return (
    <NewsletterPage
      title={m.newsletter_heading()}
      aside={
        <section className="grid gap-4" aria-labelledby="latest-title">
          <h2 className="eyebrow" id="latest-title">
            {m.newsletter_latest()}
          </h2>
          <ArticleLinks articles={latest} />
        </section>
      }
    >
      <NewsletterForm
        mailbox={mailbox}
        source={view?.source || newsletterPaths.box}
        email={view?.email}
        error={view?.error}
      />
    </NewsletterPage>
  );
}
