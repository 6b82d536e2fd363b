import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from 'react-router';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { tokenHeaders } from '#platform/http/form-headers.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { NewsletterForm } from '../web/newsletter/newsletter-form.tsx';
import {
  TokenPage,
  type TokenPageTexts,
  type TokenView,
  tokenPageMeta,
} from '../web/newsletter/token-page.tsx';
import { newsletterPaths } from './newsletter-contract.ts';
import { viewLink } from './newsletter-links.server.ts';
import { confirmRequest, viewRequest } from './newsletter-subscription.server.ts';

export const handle: PageHandle = { page: 'public', cache: false };

const texts: TokenPageTexts = {
  titles: { open: m.newsletter_confirm, done: m.newsletter_subscribed, closed: m.newsletter_new_link },
  open: m.newsletter_confirm_text,
  button: m.newsletter_subscribe,
  note: m.newsletter_confirm_note,
  done: m.newsletter_confirmed,
  closed: m.sign_in_link_used,
};

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => tokenPageMeta(texts, loaderData);

export const headers = tokenHeaders;

const closed = () => data<TokenView>({ state: 'closed', mailbox: config().mailbox }, { status: 410 });

export const loader = ({ request }: LoaderFunctionArgs) => viewLink(request, viewRequest, closed);

export async function action({ request, context }: ActionFunctionArgs) {
  const token = (await request.formData()).get('token');
  const { clientAddress } = context.get(pageContext);
  if (!(await confirmRequest(token, clientAddress))) return closed();
  return redirect(`${newsletterPaths.confirm}?done`, 303);
}

export default function ConfirmNewsletter() {
  return (
    <TokenPage
      path={newsletterPaths.confirm}
      texts={texts}
      help={(mailbox) => (
        <>
          <p className="muted">{m.newsletter_new_link_text()}</p>
          <NewsletterForm source={newsletterPaths.confirm} mailbox={mailbox} />
        </>
      )}
    />
  );
}
