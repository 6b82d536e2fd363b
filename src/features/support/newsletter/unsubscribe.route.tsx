import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { site } from '../../../../content/site.ts';
import type { PageHandle } from '../../../shared/page-handle.ts';
import { newsletterPaths, newsletterTexts } from './contract.ts';
import { leaveByLink, leavePreview } from './service.server.ts';
import { linkHeaders, linkMeta } from './web/link-page.ts';
import { NewsletterPage, ToTheBlog } from './web/newsletter-page.tsx';

export const handle: PageHandle = { page: 'public', cache: false };

type View = { state: 'open'; token: string; maskedEmail: string } | { state: 'done' } | { state: 'unknown' };

const titles: Record<View['state'], string> = {
  open: 'Unsubscribe?',
  done: 'You are unsubscribed',
  unknown: 'This link is not known',
};

export const meta: MetaFunction<typeof loader> = ({ loaderData }) =>
  linkMeta(titles[loaderData?.state ?? 'open']);

export const headers = linkHeaders;

const unknown = () => data<View>({ state: 'unknown' }, { status: 404 });

/** Reads only: mail scanners follow links. */
export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  if (query.has('done')) return data<View>({ state: 'done' });
  const token = query.get('token') ?? '';
  const preview = await leavePreview(token);
  if (!preview) return unknown();
  const { maskedEmail } = preview;
  return data<View>(maskedEmail === null ? { state: 'done' } : { state: 'open', token, maskedEmail });
}

export async function action({ request }: ActionFunctionArgs) {
  const left = await leaveByLink((await request.formData()).get('token'));
  return left ? redirect(`${newsletterPaths.leave}?done`, 303) : unknown();
}

export default function Unsubscribe() {
  const loaded = useLoaderData<typeof loader>();
  const view: View = useActionData<typeof action>() ?? loaded;
  if (view.state === 'done')
    return (
      <NewsletterPage title={titles[view.state]}>
        <p className="notice notice-success" role="status">
          No more issues are sent to you, and the address is deleted from the list.
        </p>
        <ToTheBlog />
      </NewsletterPage>
    );
  if (view.state === 'unknown')
    return (
      <NewsletterPage title={titles[view.state]}>
        <p className="notice notice-danger" role="alert">
          {newsletterTexts.leaveUnknown}
        </p>
        <p>
          {'Open the one of the newest mail, or write to '}
          <a className="link" href={`mailto:${site.supportEmail}`}>
            {site.supportEmail}
          </a>
          .
        </p>
      </NewsletterPage>
    );
  return (
    <NewsletterPage title={titles[view.state]}>
      <p>{`The newsletter is no longer sent to ${view.maskedEmail}, from the moment you press the button.`}</p>
      <form method="post" action={newsletterPaths.leave}>
        <input type="hidden" name="token" value={view.token} />
        <button className="btn btn-primary btn-lg" type="submit">
          Unsubscribe
        </button>
      </form>
    </NewsletterPage>
  );
}
