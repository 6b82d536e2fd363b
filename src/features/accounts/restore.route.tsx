import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { pageContext } from '../../platform/http/page-context.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { pageTitle } from '../../shared/page-title.ts';
import { restoreDays } from './deletion/contract.ts';
import {
  clearedOfferCookie,
  declineOffer,
  type Offer,
  readOffer,
  restoreAccount,
} from './deletion/service.server.ts';
import { SignInPage } from './web/sign-in-page.tsx';

export const handle = { page: 'public', cache: false } satisfies PageHandle;

export const meta = () => [
  { title: pageTitle('Restore your account') },
  { name: 'robots', content: 'noindex' },
];

export const headers = () => ({ 'cache-control': 'private, no-store' });

type View = { state: 'offered'; offer: Offer } | { state: 'kept' | 'none' };

const none = () => data<View>({ state: 'none' }, { status: 410 });

/** Reads only: the offer is in a cookie that the sign-in to a deleted account gives. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const offer = await readOffer(request.headers.get('cookie'));
  if (offer) return data<View>({ state: 'offered', offer });
  if (!new URL(request.url).searchParams.has('kept')) return none();
  // Restored since, in this browser.
  if (context.get(pageContext).actor.kind === 'user') throw redirect('/');
  return data<View>({ state: 'kept' });
}

export async function action({ request }: ActionFunctionArgs) {
  const cookieHeader = request.headers.get('cookie');
  const cleared: [string, string] = ['set-cookie', clearedOfferCookie()];
  if ((await request.formData()).get('intent') === 'keep') {
    // Where another page has decided meanwhile, it is not for this one to say how.
    const to = (await declineOffer(cookieHeader)) ? '/restore?kept' : '/';
    return redirect(to, { status: 303, headers: [cleared] });
  }
  const userAgent = request.headers.get('user-agent') ?? '';
  const cookie = await restoreAccount({ cookieHeader, userAgent });
  if (cookie === null) return none();
  return redirect('/?success=login', { status: 303, headers: [['set-cookie', cookie], cleared] });
}

function Offered({ deletedOn, erasedOn }: Offer) {
  return (
    <SignInPage title="Restore your account?">
      <p>{`This account was deleted on ${deletedOn}. Everything in it is erased on ${erasedOn}. Restore it?`}</p>
      <p className="muted">
        It comes back as it was, with its chats and its balance. Welcome credits are given once per person, so
        a new account would begin without them.
      </p>
      <p className="muted">
        A plan that was running was cancelled with the deletion. Until the period that is paid ends, you can
        resume it on the dashboard.
      </p>
      <form className="grid gap-3" method="post" action="/restore">
        <button className="btn btn-primary btn-lg" type="submit" name="intent" value="restore">
          Restore my account
        </button>
        <button className="btn btn-secondary btn-lg" type="submit" name="intent" value="keep">
          Keep it deleted
        </button>
      </form>
    </SignInPage>
  );
}

export default function Restore() {
  const loaded = useLoaderData<typeof loader>();
  const view: View = useActionData<typeof action>() ?? loaded;
  if (view.state === 'offered') return <Offered {...view.offer} />;
  if (view.state === 'kept') {
    return (
      <SignInPage title="It stays deleted">
        <p>{`Everything in the account is erased ${restoreDays} days after its deletion. Should you change your mind before, sign in again.`}</p>
        <a className="btn btn-secondary btn-lg" href="/">
          Go to the start page
        </a>
      </SignInPage>
    );
  }
  return (
    <SignInPage title="Sign in to restore">
      <p>
        To restore a deleted account, sign in to it again. For 15 minutes after that this page offers to bring
        it back.
      </p>
      <a className="btn btn-primary btn-lg" href="/sign-in">
        Sign in
      </a>
    </SignInPage>
  );
}
