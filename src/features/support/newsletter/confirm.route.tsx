import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { config } from '../../../platform/config/config.server.ts';
import { pageContext } from '../../../platform/http/page-context.server.ts';
import type { PageHandle } from '../../../shared/page-handle.ts';
import { newsletterPaths, newsletterTexts } from './contract.ts';
import { confirmRequest, requestPreview } from './service.server.ts';
import { linkHeaders, linkMeta } from './web/link-page.ts';
import { NewsletterForm } from './web/newsletter-form.tsx';
import { NewsletterPage, ToTheBlog } from './web/newsletter-page.tsx';

export const handle: PageHandle = { page: 'public', cache: false };

type View =
  | { state: 'open'; token: string; maskedEmail: string }
  | { state: 'done' }
  | { state: 'closed'; mailbox: string | null };

const titles: Record<View['state'], string> = {
  open: 'Confirm the newsletter',
  done: 'You are subscribed',
  closed: 'Ask for a new link',
};

// A form that is refused has no token in its address, for which the loader answers `closed` too.
export const meta: MetaFunction<typeof loader> = ({ loaderData }) =>
  linkMeta(titles[loaderData?.state ?? 'open']);

export const headers = linkHeaders;

const closed = () => data<View>({ state: 'closed', mailbox: config().mailbox }, { status: 410 });

/** Reads only: mail scanners follow links. */
export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  if (query.has('done')) return data<View>({ state: 'done' });
  const token = query.get('token') ?? '';
  const preview = await requestPreview(token);
  return preview ? data<View>({ state: 'open', token, ...preview }) : closed();
}

export async function action({ request, context }: ActionFunctionArgs) {
  const token = (await request.formData()).get('token');
  const { clientAddress } = context.get(pageContext);
  if (!(await confirmRequest(token, clientAddress))) return closed();
  return redirect(`${newsletterPaths.confirm}?done`, 303);
}

export default function ConfirmNewsletter() {
  const loaded = useLoaderData<typeof loader>();
  const view: View = useActionData<typeof action>() ?? loaded;
  if (view.state === 'done')
    return (
      <NewsletterPage title={titles[view.state]}>
        <p className="notice notice-success" role="status">
          Thank you. The next issue comes by mail, and each has a link to unsubscribe.
        </p>
        <ToTheBlog />
      </NewsletterPage>
    );
  if (view.state === 'closed')
    return (
      <NewsletterPage title={titles[view.state]}>
        <p className="notice notice-danger" role="alert">
          {newsletterTexts.confirmGone}
        </p>
        <p className="muted">
          If you have confirmed before, you are subscribed. Else enter your address again.
        </p>
        <NewsletterForm source={newsletterPaths.confirm} mailbox={view.mailbox} />
      </NewsletterPage>
    );
  return (
    <NewsletterPage title={titles[view.state]}>
      <p>{`It will be sent to ${view.maskedEmail}.`}</p>
      <form method="post" action={newsletterPaths.confirm}>
        <input type="hidden" name="token" value={view.token} />
        <button className="btn btn-primary btn-lg" type="submit">
          Subscribe
        </button>
      </form>
      <p className="fine">It was not you who asked? Leave this page: the address is deleted within a week.</p>
    </NewsletterPage>
  );
}
