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
import type { PageHandle } from '#shared/page-handle.ts';
import { setting } from '#shared/settings.ts';
import {
  TokenPage,
  type TokenPageWords,
  type TokenView,
  tokenHeaders,
  tokenMeta,
} from '../web/newsletter/token-page.tsx';
import { newsletterPaths } from './newsletter-contract.ts';
import { unsubscribeByLink, unsubscribePreview } from './newsletter-subscription.server.ts';

export const handle: PageHandle = { page: 'public', cache: false };

const words: TokenPageWords = {
  titles: { open: m.newsletter_leave, done: m.newsletter_left, closed: m.newsletter_unknown_link },
  open: m.newsletter_leave_text,
  button: m.newsletter_unsubscribe,
  done: m.newsletter_left_text,
  closed: m.newsletter_unknown_link_text,
};

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => tokenMeta(words, loaderData?.state);

export const headers = tokenHeaders;

const unknown = () => data<TokenView>({ state: 'closed' }, { status: 404 });

/** Reads only: mail scanners follow links. */
export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  if (query.has('done')) return data<TokenView>({ state: 'done' });
  const token = query.get('token') ?? '';
  const preview = await unsubscribePreview(token);
  if (!preview) return unknown();
  const { maskedEmail } = preview;
  return data<TokenView>(maskedEmail === null ? { state: 'done' } : { state: 'open', token, maskedEmail });
}

export async function action({ request }: ActionFunctionArgs) {
  const left = await unsubscribeByLink((await request.formData()).get('token'));
  return left ? redirect(`${newsletterPaths.leave}?done`, 303) : unknown();
}

export default function Unsubscribe() {
  const loaded = useLoaderData<typeof loader>();
  const view: TokenView = useActionData<typeof action>() ?? loaded;
  return (
    <TokenPage view={view} action={newsletterPaths.leave} words={words}>
      <p>
        {m.newsletter_unknown_link_help({
          email: setting('contact.email'),
          link: (text) => (
            <a className="link" href={`mailto:${setting('contact.email')}`}>
              {text}
            </a>
          ),
        })}
      </p>
    </TokenPage>
  );
}
