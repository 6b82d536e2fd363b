/** The pages of the providers: who signs in, and what was wrong with the request. */
import { escapeHtml, formSource, type Page } from '../page.ts';
import type { AuthorizeRequest, Params } from './request.ts';
import { isMeant, type ProviderName, TEST_USERS } from './users.ts';

/** What a page says and where its forms go. */
export interface Face {
  provider: ProviderName;
  /** Such as Google. */
  title: string;
  /** Path of the authorization endpoint. */
  path: string;
}

function hidden(fields: Params): string {
  return [...fields]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
}

function choice(user: (typeof TEST_USERS)[number], suggested: boolean): string {
  return `<li><button name="user" value="${user.key}"><b>${escapeHtml(user.name)}</b>
<span class="muted">${suggested ? 'Suggested by the request' : ''}</span>
<span>${escapeHtml(user.email ?? 'no address')}</span><span></span><span class="muted">${escapeHtml(user.about)}</span></button></li>`;
}

/**
 * The page that asks who signs in. Each form carries `fields`, the parameters of the request, which are read and
 * checked again when it comes back.
 */
export function choicePage(face: Face, request: AuthorizeRequest, fields: Params): Page {
  const meant = (user: (typeof TEST_USERS)[number]) => isMeant(face.provider, user, request.hint);
  const users = [...TEST_USERS].sort((a, b) => Number(meant(b)) - Number(meant(a)));
  const address = request.hint && !users.some(meant) ? request.hint : '';
  const form = `<form method="post" action="${face.path}" autocomplete="off">${hidden(fields)}`;
  return {
    title: `Sign in with ${face.title}`,
    forms: [formSource(request.redirectUri)],
    body: `<h1>Sign in with ${face.title}</h1>
<p>A stand-in on this machine answers for ${face.title}; nobody here is real. <b>${escapeHtml(request.clientId)}</b> asks
for <b>${escapeHtml(request.scopes.join(' ') || 'nothing')}</b>. Choose who goes back to
<b>${escapeHtml(new URL(request.redirectUri).origin)}</b>.</p>
${form}<ul class="list">${users.map((user) => choice(user, meant(user))).join('')}</ul>
<p><button name="user" value="deny">Deny</button></p></form>
<h2>Other address</h2>
${form}<input type="hidden" name="user" value="other"><div class="fields">
<label>E-mail <input name="email" inputmode="email" spellcheck="false" value="${escapeHtml(address)}"></label>
<label class="tick"><input type="checkbox" name="verified" value="true" checked> Verified by ${face.title}</label>
<label>Name <input name="name"></label>
<label>Subject <input name="subject" spellcheck="false"><span class="muted">Empty: made from the address, always the same one.</span></label>
<p><button>Continue</button></p></div></form>`,
  };
}

/** The page for a request that must not be answered with a redirect. */
export function errorPage(face: Face, status: number, code: string, message: string): Page {
  return {
    title: `Error ${status}: ${code}`,
    status,
    body: `<h1>Access blocked: authorization error</h1>
<p>${escapeHtml(message)}</p><p><b>Error ${status}: ${escapeHtml(code)}</b></p>
<p class="muted">The ${face.title} stand-in sends nobody back to an address that it has not checked.</p>`,
  };
}
