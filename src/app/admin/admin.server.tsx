import type { Context, Next } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { OperatorError } from '#features/billing/service.server.ts';
import { ModerationError } from '#features/prompts/service.server.ts';
import { ContactCommandError, IssueError } from '#features/support/service.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { SettingsError } from '#platform/settings/change-settings.server.ts';
import { Notice } from '#ui/notice.tsx';
import { adminPage } from './admin-page.server.tsx';
import { AdminRefusal, type AdminRequest, type AdminRoute } from './admin-request.server.ts';
import { adminRoutes } from './admin-routes.server.tsx';
import { findOperator, maxSessionMinutes } from './operator.server.ts';
import { signInAgain } from './sign-in-again.server.tsx';

const router = new TrieRouter<AdminRoute>();
for (const route of adminRoutes) router.add(route.method, route.path, route);

function refusalOf(error: unknown): { message: string; status: number } | null {
  if (error instanceof Problem || error instanceof AdminRefusal) return error;
  // The messages of these errors are written for operators.
  const isForOperator = [OperatorError, ModerationError, ContactCommandError, IssueError, SettingsError].some(
    (kind) => error instanceof kind,
  );
  return isForOperator ? { message: (error as Error).message, status: 400 } : null;
}

function refusalPage(request: AdminRequest, { message, status }: { message: string; status: number }) {
  return adminPage(request, {
    title: 'That didn’t work',
    here: null,
    status,
    children: (
      <>
        <h1 className="h2">That didn’t work</h1>
        <Notice kind="danger">{message}</Notice>
      </>
    ),
  });
}

async function respond(request: AdminRequest, route: AdminRoute): Promise<Response> {
  const maxMinutes = maxSessionMinutes[route.method === 'GET' ? 'read' : 'act'];
  const { minutes } = request.operator;
  const isTooOld = !route.anySessionAge && minutes >= maxMinutes;
  try {
    if (isTooOld)
      return await (minutes < maxSessionMinutes.read && route.tooOld ? route.tooOld : signInAgain)(request);
    return await route.handle(request);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusalPage(request, refusal);
  }
}

/**
 * Serves the admin pages, which don't use the React router. For anybody who is not an operator they don't exist: the
 * request continues to the not-found page.
 */
export async function admin(c: Context<AppEnv>, next: Next): Promise<Response | undefined> {
  const operator = await findOperator(c.var.actor);
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  const [[[route, params] = []] = []] = operator ? router.match(method, c.req.path) : [];
  if (!operator || !route) {
    await next();
    return;
  }
  const { searchParams: query } = new URL(c.req.url);
  const request = { c, operator, params: (params ?? {}) as Record<string, string>, query };
  return withLocale('en', () => respond(request, route));
}
