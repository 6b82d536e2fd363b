import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { NewsletterForm } from '../web/newsletter/newsletter-form.tsx';
import {
  TokenPage,
  type TokenPageWords,
  type TokenView,
  tokenHeaders,
  tokenMeta,
} from '../web/newsletter/token-page.tsx';
import { newsletterPaths } from './newsletter-contract.ts';
import { confirmRequest, requestPreview } from './newsletter-subscription.server.ts';

export const handle: PageHandle = { page: 'public', cache: false };

const words: TokenPageWords = {
  titles: { open: m.newsletter_confirm, done: m.newsletter_subscribed, closed: m.newsletter_new_link },
  open: m.newsletter_confirm_text,
  button: m.newsletter_subscribe,
  note: m.newsletter_confirm_note,
  done: m.newsletter_confirmed,
  closed: m.sign_in_link_used,
};

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => tokenMeta(words, loaderData?.state);

export const headers = tokenHeaders;

const closed = () => data<TokenView>({ state: 'closed', mailbox: config().mailbox }, { status: 410 });

/** Reads only: mail scanners follow links. */
export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  if (query.has('done')) return data<TokenView>({ state: 'done' });
  const token = query.get('token') ?? '';
  const preview = await requestPreview(token);
  return preview ? data<TokenView>({ state: 'open', token, ...preview }) : closed();
}

export async function action({ request, context }: ActionFunctionArgs) {
  const token = (await request.formData()).get('token');
  const { clientAddress } = context.get(pageContext);
  if (!(await confirmRequest(token, clientAddress))) return closed();
  return redirect(`${newsletterPaths.confirm}?done`, 303);
}

export default function ConfirmNewsletter() {
  const loaded = useLoaderData<typeof loader>();
  const view: TokenView = useActionData<typeof action>() ?? loaded;
  return (
    <TokenPage view={view} action={newsletterPaths.confirm} words={words}>
      <p className="muted">{m.newsletter_new_link_text()}</p>
      <NewsletterForm
        source={newsletterPaths.confirm}
        mailbox={view.state === 'closed' ? (view.mailbox ?? null) : null}
      />
    </TokenPage>
  );
}
