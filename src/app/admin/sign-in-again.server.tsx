import { z } from 'zod';
import { providerLabels } from '#features/accounts/identities/provider-labels.ts';
import {
  browserOf,
  configuredProviders,
  requestSignIn,
  setCookie,
  signInWithCode,
} from '#features/accounts/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import { safeRedirectPath } from '#shared/safe-redirect.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { adminPage } from './admin-page.server.tsx';
import { type AdminRequest, type AdminRoute, readForm } from './admin-request.server.ts';
import { maxSessionMinutes } from './operator.server.ts';

/** Returns the admin page to return to after the sign-in; never a page of another site. */
function returnPath(text: string | null | undefined): string {
  const path = safeRedirectPath(text);
  return path?.startsWith('/admin') ? path : '/admin/people';
}

export function signInAgain(request: AdminRequest, status = 403): Promise<Response> {
  const { pathname, search } = new URL(request.c.req.url);
  const requested = request.query.get('next') ?? (request.c.req.method === 'GET' ? pathname + search : null);
  const next = returnPath(requested);
  return adminPage(request, {
    title: 'Sign in again',
    here: null,
    status,
    children: (
      <section className="grid max-w-lg gap-4">
        <h1 className="h2">Sign in again</h1>
        <p>
          The console asks for a recent sign-in: within the last {maxSessionMinutes.read} minutes to view
          pages, within the last {maxSessionMinutes.act} to make changes. Nothing was changed.
        </p>
        <form method="post" action="/admin/sign-in">
          <input type="hidden" name="next" value={next} />
          <Button variant="primary" type="submit">
            Send a code to {request.operator.email}
          </Button>
        </form>
        {configuredProviders().map((provider) => (
          <p key={provider}>
            <a
              className="link"
              href={`/api/auth/${provider}?next=${encodeURIComponent(next)}`}
            >{`Continue with ${providerLabels[provider]}`}</a>
          </p>
        ))}
      </section>
    ),
  });
}

async function sendCode(request: AdminRequest): Promise<Response> {
  const { c, operator } = request;
  const next = returnPath(
    (await readForm(request, z.object({ next: z.string().max(2000).optional() }))).next,
  );
  const { cookie } = await requestSignIn({ email: operator.email, next }, browserOf(c));
  setCookie(c, cookie);
  const { mailbox } = config();
  return adminPage(request, {
    title: 'Enter the code',
    here: null,
    children: (
      <form className="grid max-w-sm gap-4" method="post" action="/admin/sign-in/code">
        <h1 className="h2">Enter the code</h1>
        <p>We sent a code to {operator.email}. The link in that email works too.</p>
        <input type="hidden" name="next" value={next} />
        <Field label="6-digit code">
          {(control) => (
            <input
              {...control}
              className="input font-mono text-[length:var(--text-xl)] tracking-[0.3em]"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
            />
          )}
        </Field>
        <Button variant="primary" type="submit">
          Sign in
        </Button>
        {mailbox ? (
          <a className="link" href={mailbox} target="_blank" rel="noreferrer">
            Open the local mailbox
          </a>
        ) : null}
      </form>
    ),
  });
}

const codeForm = z.object({ code: z.string().max(20), next: z.string().max(2000).optional() });

async function submitCode(request: AdminRequest): Promise<Response> {
  const { c, operator } = request;
  const { code, next } = await readForm(request, codeForm);
  const session = await signInWithCode({ email: operator.email, code }, browserOf(c));
  setCookie(c, session.cookie);
  setCookie(c, session.deviceCookie);
  return c.redirect(returnPath(next), 303);
}

export const signInRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/admin/sign-in',
    anySessionAge: true,
    handle: (request) => signInAgain(request, 200),
  },
  { method: 'POST', path: '/admin/sign-in', anySessionAge: true, handle: sendCode },
  { method: 'POST', path: '/admin/sign-in/code', anySessionAge: true, handle: submitCode },
];
