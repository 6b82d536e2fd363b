import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { config } from '../../platform/config/config.server.ts';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import { pageTitle } from '../../shared/page-title.ts';
import { LegalLine } from '../../ui/legal-line.tsx';
import { onSale } from '../billing/provider/service.server.ts';
import { isPlanDuration, money, noSale, priceTable, thenCheckout } from '../credits/contract.ts';
import { codeSignIn, restorePath, signInTexts } from './contract.ts';
import { configuredProviders } from './oauth/service.server.ts';
import { requestSignIn, signInWithCode } from './sign-in/service.server.ts';
import { wayOn } from './way-on/contract.ts';
import { ProviderLinks } from './web/provider-links.tsx';
import { CodeForm, EmailForm } from './web/sign-in-forms.tsx';
import { SignInPage } from './web/sign-in-page.tsx';
import { UpgradeForm } from './web/upgrade-form.tsx';

export const handle = { page: 'public', cache: false };

export const meta = () => [{ title: pageTitle('Sign in') }, { name: 'robots', content: 'noindex' }];

export const headers: HeadersFunction = ({ actionHeaders }) => {
  const result = new Headers({ 'cache-control': 'private, no-store' });
  const retryAfter = actionHeaders.get('retry-after');
  if (retryAfter) result.set('retry-after', retryAfter);
  return result;
};

/** Where the visitor stands: the field to fill in, what was typed, and what was wrong with it. */
interface Step {
  step: 'email' | 'code';
  email: string;
  next: string | null;
  error?: string;
}

const afterSignIn = (next: string | null) => next ?? '/?success=login';

/** A plan in the query that is for sale is bought after the sign-in: the way there is then the way on. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const plan = query.get('plan');
  const chosen = isPlanDuration(plan) ? plan : null;
  const sold = onSale();
  const next =
    chosen && sold.includes(chosen)
      ? `/auth/callback?subscribe=true&plan=${chosen}`
      : wayOn(query.get('next'));
  if (context.get(pageContext).actor.kind === 'user') throw redirect(next ?? '/');
  return { next, chosen, sold, providers: configuredProviders(), mailbox: config().mailbox };
}

function refused(error: unknown, step: Step) {
  if (!(error instanceof Problem)) throw error;
  const headers: HeadersInit =
    error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) };
  return data<Step>({ ...step, error: error.message }, { status: error.status, headers });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const field = (name: string) => String(form.get(name) ?? '').slice(0, 2000);
  const { clientAddress } = context.get(pageContext);
  const browser = {
    address: clientAddress,
    userAgent: request.headers.get('user-agent') ?? '',
    cookieHeader: request.headers.get('cookie'),
  };
  const [email, next] = [field('email'), wayOn(field('next'))];
  if (field('intent') !== 'code') {
    try {
      const { cookie } = await requestSignIn({ email, next: next ?? undefined }, browser);
      return data<Step>({ step: 'code', email, next }, { headers: { 'set-cookie': cookie } });
    } catch (error) {
      return refused(error, { step: 'email', email, next });
    }
  }
  try {
    const input = codeSignIn.safeParse({ email, code: field('code') });
    if (!input.success) throw new Problem('bad_request', signInTexts.wrongCode);
    const { kind, cookie } = await signInWithCode(input.data, browser);
    const then = kind === 'deleted' ? restorePath : afterSignIn(next);
    return redirect(then, { status: 303, headers: { 'set-cookie': cookie } });
  } catch (error) {
    return refused(error, { step: 'code', email, next });
  }
}

export default function SignIn() {
  const { next, chosen, sold, providers, mailbox } = useLoaderData<typeof loader>();
  const now: Step = useActionData<typeof action>() ?? { step: 'email', email: '', next };
  const again = now.next ? `/sign-in?next=${encodeURIComponent(now.next)}` : '/sign-in';
  return (
    <SignInPage
      title={now.step === 'email' ? 'Sign in' : 'Check your email'}
      aside={now.step === 'email' ? <UpgradeForm onSale={sold} chosen={chosen} next={next} /> : null}
    >
      {now.step === 'email' ? (
        <>
          {chosen ? (
            <p className="notice notice-info">
              {`You chose Pro, ${priceTable[chosen].period}, ${money(priceTable[chosen].priceCents)}. `}
              {sold.includes(chosen) ? thenCheckout : noSale}
            </p>
          ) : null}
          <ProviderLinks providers={providers} next={now.next} />
          <p className="muted text-sm">We mail you a link and a code.</p>
          <EmailForm next={now.next} email={now.email} error={now.error} />
          <LegalLine />
        </>
      ) : (
        <>
          {now.error ? null : (
            <p className="notice notice-success" role="status">
              {signInTexts.sent}
            </p>
          )}
          <p className="muted">{`Open the link in the mail to ${now.email}, or type its code here. Both work for 15 minutes.`}</p>
          <CodeForm next={now.next} email={now.email} error={now.error} />
          {mailbox ? (
            <p>
              <a className="link" href={mailbox} target="_blank" rel="noreferrer">
                Open the local mailbox
              </a>
            </p>
          ) : null}
          <p className="fine">
            <Link className="link" to={again} reloadDocument>
              Send another mail or change the address
            </Link>
          </p>
        </>
      )}
    </SignInPage>
  );
}
