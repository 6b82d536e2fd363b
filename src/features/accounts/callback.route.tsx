import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import { ownPath } from '../../shared/own-path.ts';
import { pageTitle } from '../../shared/page-title.ts';
import { isPlanDuration } from '../credits/contract.ts';
import { me } from './users/service.server.ts';

export const handle = { page: 'public', cache: false };

export const meta = () => [{ title: pageTitle('Signing you in') }, { name: 'robots', content: 'noindex' }];

export const headers = () => ({ 'cache-control': 'private, no-store' });

function errorPath(error: string, description: string): string {
  const query = new URLSearchParams({ error, description: description.slice(0, 200), from: 'auth_callback' });
  return `/error?${query}`;
}

/** Where a signed-in person goes on: to their plan, to what they had begun, or home with a greeting. */
function onward(query: URLSearchParams): string {
  const plan = query.get('plan');
  if (query.get('subscribe') === 'true' && isPlanDuration(plan))
    return `/dashboard?${new URLSearchParams({ subscribe: 'true', plan })}`;
  const next = ownPath(query.get('next'));
  return next && !next.startsWith('/auth/') ? next : '/?success=login';
}

/** The branches of the specification, section 4, "Auth callback"; nothing is ever taken from the query but our own paths. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const { actor } = context.get(pageContext);
  const error = query.get('error');
  const to = async () => {
    if (error !== null)
      return errorPath(
        /^[\w-]{1,60}$/.test(error) ? error : 'auth_error',
        query.get('error_description') ?? '',
      );
    const noSession = errorPath('no_session', 'No session found after authentication');
    if (actor.kind !== 'user') return noSession;
    try {
      await me({ actor });
    } catch (failure) {
      return failure instanceof Problem ? noSession : errorPath('auth_failed', 'Authentication failed');
    }
    return onward(query);
  };
  return { to: await to() };
}

/** The last step of every way that leaves the site; goes on by itself, with scripts or without. */
export default function Callback() {
  const { to } = useLoaderData<typeof loader>();
  return (
    <main data-no-return="" id="main" className="wrap message-page" data-go={to}>
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=${to}`} />
      </noscript>
      <div role="status" className="grid gap-4">
        <span className="spinner" aria-hidden="true" />
        <h1 className="h2">Signing you in...</h1>
        <p className="muted">Please wait while we verify your credentials</p>
      </div>
      <p className="appears-late">
        <a className="btn btn-secondary" href={to}>
          Continue
        </a>
      </p>
    </main>
  );
}
