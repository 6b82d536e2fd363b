import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { m } from '#messages';
import { pageContext } from '#platform/http/page-context.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { Button } from '#ui/button.tsx';
import {
  clearRestoreOfferCookie,
  declineRestoreOffer,
  type RestoreOffer,
  readRestoreOffer,
  restoreAccount,
} from './deletion/account-deletion.server.ts';
import { restoreDays } from './deletion/deletion-contract.ts';
import { SignInPage } from './web/sign-in-page.tsx';

export const handle = { page: 'public', cache: false } satisfies PageHandle;

export const meta = () => unindexedMeta(m.restore_title());

export const headers = () => ({ 'cache-control': 'private, no-store' });

type View = { state: 'offered'; offer: RestoreOffer } | { state: 'kept' | 'none' };

const none = () => data<View>({ state: 'none' }, { status: 410 });

/** Only reads. The offer is in the cookie that a sign-in to a deleted account sets. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const offer = await readRestoreOffer(request.headers.get('cookie'));
  if (offer) return data<View>({ state: 'offered', offer });
  if (!new URL(request.url).searchParams.has('kept')) return none();
  // Restored in this browser meanwhile.
  if (context.get(pageContext).actor.kind === 'user') throw redirect('/');
  return data<View>({ state: 'kept' });
}

export async function action({ request }: ActionFunctionArgs) {
  const cookieHeader = request.headers.get('cookie');
  const cleared: [string, string] = ['set-cookie', clearRestoreOfferCookie()];
  if ((await request.formData()).get('intent') === 'keep') {
    // If another page has decided meanwhile, this one does not show the result.
    const to = (await declineRestoreOffer(cookieHeader)) ? '/restore?kept' : '/';
    return redirect(to, { status: 303, headers: [cleared] });
  }
  const userAgent = request.headers.get('user-agent') ?? '';
  const cookie = await restoreAccount({ cookieHeader, userAgent });
  if (cookie === null) return none();
  return redirect('/?success=login', { status: 303, headers: [['set-cookie', cookie], cleared] });
}

function Offered({ deletedOn, erasedOn }: RestoreOffer) {
  return (
    <SignInPage title={m.restore_question()}>
      <p>{m.restore_dates({ deletedOn, erasedOn })}</p>
      <p className="muted">{m.restore_what_returns()}</p>
      <p className="muted">{m.restore_plan()}</p>
      <form className="grid gap-3" method="post" action="/restore">
        <Button variant="primary" size="lg" type="submit" name="intent" value="restore">
          {m.restore_accept()}
        </Button>
        <Button size="lg" type="submit" name="intent" value="keep">
          {m.restore_decline()}
        </Button>
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
      <SignInPage title={m.restore_declined_title()}>
        <p>{m.restore_declined({ days: restoreDays })}</p>
        <Button size="lg" href="/">
          {m.common_go_home()}
        </Button>
      </SignInPage>
    );
  }
  return (
    <SignInPage title={m.restore_sign_in_title()}>
      <p>{m.restore_sign_in()}</p>
      <Button variant="primary" size="lg" href="/sign-in">
        {m.common_sign_in()}
      </Button>
    </SignInPage>
  );
}
