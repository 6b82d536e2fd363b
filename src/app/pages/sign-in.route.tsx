import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { codeSignIn, restorePath } from '#features/accounts/contract.ts';
import { safeReturnTo } from '#features/accounts/return-to.ts';
import { configuredProviders, requestSignIn, signInWithCode } from '#features/accounts/service.server.ts';
import { ProviderLinks } from '#features/accounts/web/provider-links.tsx';
import { CodeForm, EmailForm } from '#features/accounts/web/sign-in-forms.tsx';
import { SignInPage } from '#features/accounts/web/sign-in-page.tsx';
import { UpgradeForm } from '#features/accounts/web/upgrade-form.tsx';
import { onSale } from '#features/billing/service.server.ts';
import {
  checkoutText,
  formatMoney,
  isPlanDuration,
  noSaleText,
  priceTable,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { formHeaders } from '#platform/http/form-headers.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { LegalLine } from '#ui/legal-line.tsx';
import { Notice } from '#ui/notice.tsx';

export const handle = { page: 'public', cache: false };

export const meta = () => unindexedMeta(m.common_sign_in());

export const headers = formHeaders;

interface Step {
  step: 'email' | 'code';
  email: string;
  next: string | null;
  error?: string;
}

const afterSignIn = (next: string | null) => next ?? '/?success=login';

/** If the query names a plan that is on sale, the sign-in continues to its checkout. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const plan = query.get('plan');
  const chosen = isPlanDuration(plan) ? plan : null;
  const sold = onSale();
  const next =
    chosen && sold.includes(chosen)
      ? `/auth/callback?subscribe=true&plan=${chosen}`
      : safeReturnTo(query.get('next'));
  if (context.get(pageContext).actor.kind === 'user') throw redirect(next ?? '/');
  return { next, chosen, sold, providers: configuredProviders(), mailbox: config().mailbox };
}

function errorResponse(error: unknown, step: Step) {
  if (!(error instanceof Problem)) throw error;
  return data<Step>({ ...step, error: error.message }, { status: error.status, headers: error.headers });
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
  const [email, next] = [field('email'), safeReturnTo(field('next'))];
  if (field('intent') !== 'code') {
    try {
      const { cookie } = await requestSignIn({ email, next: next ?? undefined }, browser);
      return data<Step>({ step: 'code', email, next }, { headers: { 'set-cookie': cookie } });
    } catch (error) {
      return errorResponse(error, { step: 'email', email, next });
    }
  }
  try {
    const input = codeSignIn.safeParse({ email, code: field('code') });
    if (!input.success) throw new Problem('bad_request', m.sign_in_wrong_code());
    const { kind, cookie, deviceCookie } = await signInWithCode(input.data, browser);
    const destination = kind === 'deleted' ? restorePath : afterSignIn(next);
    const headers: [string, string][] = [cookie, deviceCookie].map((line) => ['set-cookie', line]);
    return redirect(destination, { status: 303, headers });
  } catch (error) {
    return errorResponse(error, { step: 'code', email, next });
  }
}

export default function SignIn() {
  const { next, chosen, sold, providers, mailbox } = useLoaderData<typeof loader>();
  const current: Step = useActionData<typeof action>() ?? { step: 'email', email: '', next };
  const resendPath = current.next ? `/sign-in?next=${encodeURIComponent(current.next)}` : '/sign-in';
  return (
    <SignInPage
      title={current.step === 'email' ? m.common_sign_in() : m.sign_in_check_email()}
      aside={current.step === 'email' ? <UpgradeForm onSale={sold} chosen={chosen} next={next} /> : null}
    >
      {current.step === 'email' ? (
        <>
          {chosen ? (
            <Notice kind="info">
              {m.sign_in_chosen({
                period: priceTable[chosen].period,
                price: formatMoney(priceTable[chosen].priceCents),
              })}
              {sentenceSeparator()}
              {sold.includes(chosen) ? checkoutText() : noSaleText()}
            </Notice>
          ) : null}
          <ProviderLinks providers={providers} next={current.next} />
          <EmailForm next={current.next} email={current.email} error={current.error} />
          <LegalLine />
        </>
      ) : (
        <>
          {current.error ? null : (
            <Notice kind="success" live>
              {m.sign_in_sent()}
            </Notice>
          )}
          <p className="muted">{m.sign_in_open_link({ email: current.email })}</p>
          <CodeForm next={current.next} email={current.email} error={current.error} />
          {mailbox ? (
            <p>
              <a className="link" href={mailbox} target="_blank" rel="noreferrer">
                {m.local_mailbox()}
              </a>
            </p>
          ) : null}
          <p className="fine">
            <Link className="link" to={resendPath} reloadDocument>
              {m.sign_in_send_again()}
            </Link>
          </p>
        </>
      )}
    </SignInPage>
  );
}
