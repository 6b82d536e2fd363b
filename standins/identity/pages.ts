import { formSource, html, type Page } from '../page.ts';
import type { AuthorizeRequest, Params } from './authorize-request.ts';
import { isSuggested, type ProviderName, TEST_USERS } from './users.ts';

export interface Provider {
  name: ProviderName;
  title: string;
  path: string;
}

const choice = (
  user: (typeof TEST_USERS)[number],
  suggested: boolean,
) => html`<li><button name="user" value="${user.login}">
<b>${user.name}</b><span class="muted">${suggested && 'Suggested by the request'}</span>
<span>${user.email ?? 'no address'}</span><span></span><span class="muted">${user.about}</span></button></li>`;

/** `fields` are the parameters of the request; they are validated again when the form is submitted. */
export function choicePage({ name, title, path }: Provider, request: AuthorizeRequest, fields: Params): Page {
  const suggested = (user: (typeof TEST_USERS)[number]) => isSuggested(name, user, request.hint);
  const users = [...TEST_USERS].sort((a, b) => Number(suggested(b)) - Number(suggested(a)));
  const address = request.hint && !users.some(suggested) ? request.hint : '';
  const hidden = [...fields].map(
    ([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`,
  );
  return {
    title: `Sign in with ${title}`,
    forms: [formSource(request.redirectUri)],
    body: html`<h1>Sign in with ${title}</h1>
<p>A stand-in on this machine answers for ${title}; nobody here is real. <b>${request.clientId}</b> asks
for <b>${request.scopes.join(' ') || 'nothing'}</b>. Choose who goes back to
<b>${new URL(request.redirectUri).origin}</b>.</p>
<form method="post" action="${path}" autocomplete="off">${hidden}
<ul class="list">${users.map((user) => choice(user, suggested(user)))}</ul>
<p><button name="user" value="deny">Deny</button></p></form>
<h2>Other address</h2>
<form method="post" action="${path}" autocomplete="off">${hidden}
<input type="hidden" name="user" value="other"><div class="fields">
<label>E-mail <input name="email" inputmode="email" spellcheck="false" value="${address}"></label>
<label class="tick"><input type="checkbox" name="verified" value="true" checked> Verified by ${title}</label>
<label>Name <input name="name"></label>
<label>Subject <input name="subject" spellcheck="false"><span class="muted">Empty: made from the address, always the same one.</span></label>
<p><button>Continue</button></p></div></form>`,
  };
}

export function errorPage({ title }: Provider, status: number, code: string, message: string): Page {
  return {
    title: `Error ${status}: ${code}`,
    status,
    body: html`<h1>Access blocked: authorization error</h1>
<p>${message}</p><p><b>Error ${status}: ${code}</b></p>
<p class="muted">The ${title} stand-in sends nobody back to an address that it has not checked.</p>`,
  };
}
