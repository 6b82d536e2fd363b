import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from 'react-router';
import { m } from '#messages';
import { tokenHeaders } from '#platform/http/form-headers.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { setting } from '#shared/settings.ts';
import { linkTo } from '#ui/link-to.tsx';
import {
  TokenPage,
  type TokenPageTexts,
  type TokenView,
  tokenPageMeta,
} from '../web/newsletter/token-page.tsx';
import { newsletterPaths } from './newsletter-contract.ts';
import { viewLink } from './newsletter-links.server.ts';
import { unsubscribeByLink, viewSubscription } from './newsletter-subscription.server.ts';

export const handle: PageHandle = { page: 'public', cache: false };

const texts: TokenPageTexts = {
  titles: { open: m.newsletter_leave, done: m.newsletter_left, closed: m.newsletter_unknown_link },
  open: m.newsletter_leave_text,
  button: m.newsletter_unsubscribe,
  done: m.newsletter_left_text,
  closed: m.newsletter_unknown_link_text,
};

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => tokenPageMeta(texts, loaderData);

export const headers = tokenHeaders;

const unknown = () => data<TokenView>({ state: 'closed' }, { status: 404 });

export const loader = ({ request }: LoaderFunctionArgs) => viewLink(request, viewSubscription, unknown);

export async function action({ request }: ActionFunctionArgs) {
  const isUnsubscribed = await unsubscribeByLink((await request.formData()).get('token'));
  return isUnsubscribed ? redirect(`${newsletterPaths.leave}?done`, 303) : unknown();
}

export default function Unsubscribe() {
  return (
    <TokenPage
      path={newsletterPaths.leave}
      texts={texts}
      help={() => (
        <p>
          {m.newsletter_unknown_link_help({
            email: setting('contact.email'),
            link: linkTo(`mailto:${setting('contact.email')}`),
          })}
        </p>
      )}
    />
  );
}
