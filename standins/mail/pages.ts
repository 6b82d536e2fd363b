import { facts, type Html, html, type Page } from '../page.ts';
import type { StoredMail } from './mailbox.ts';
import { TEXT_LINK } from './parse.ts';

/** Checks for new mail every two seconds while the page is visible; without scripts it must be reloaded by hand. */
const refreshScript = (newest: string) => `const shown=${JSON.stringify(newest)};
setInterval(async()=>{if(document.hidden)return;try{const answer=await fetch('/mail/newest');
if(answer.ok&&(await answer.json()).newest!==shown)location.reload()}catch{}},2000)`;

const time = (at: string) => html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`;

const row = (
  mail: StoredMail,
) => html`<li><a href="/mail/${mail.id}"><b>${mail.subject || 'No subject'}</b>${time(mail.at)}
<span class="muted">to ${mail.to.join(', ')}</span></a></li>`;

export function listPage(mails: StoredMail[]): Page {
  const list =
    mails.length === 0
      ? html`<p>No mail yet. What the product sends, to whatever address, arrives here and goes no further.</p>`
      : html`<p class="muted">${mails.length === 1 ? 'One mail' : `${mails.length} mails`}, newest first. Nothing here was
sent to anybody.</p><ul class="list">${mails.map(row)}</ul>`;
  return { title: 'Mailbox', body: html`<h1>Mailbox</h1>${list}`, script: refreshScript(mails[0]?.id ?? '') };
}

function withLinks(text: string): Html[] {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: link, index } of text.matchAll(TEXT_LINK)) {
    parts.push(html`${text.slice(end, index)}<a href="${link}" target="_top">${link}</a>`);
    end = index + link.length;
  }
  return [...parts, html`${text.slice(end)}`];
}

/** A frame without scripts, forms or an origin; links open in the whole window, and only when a person follows them. */
const frame = (source: string) => html`<section><h2>As shown by a mail program</h2>
<iframe title="HTML part of the mail" tabindex="0" referrerpolicy="no-referrer"
sandbox="allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox"
srcdoc="${`<base target="_top">${source}`}"></iframe></section>`;

export function mailPage(mail: StoredMail): Page {
  const files = mail.attachments.map(({ name, type, size }) => html`${name} (${type}, ${size} bytes)<br>`);
  const unsubscribe = mail.headers['list-unsubscribe'];
  const rows: [string, unknown][] = [
    ['From', mail.from],
    ['To', mail.to.join(', ')],
    ['Arrived', time(mail.at)],
    ...(unsubscribe ? [['Unsubscribe', withLinks(unsubscribe)] as [string, unknown]] : []),
    ...(files.length > 0 ? [['Attached', files] as [string, unknown]] : []),
  ];
  return {
    title: mail.subject || 'Mail',
    body: html`<p><a href="/mail">All mails</a></p><h1>${mail.subject || 'No subject'}</h1>${facts(rows)}
<div class="parts${mail.html ? ' two' : ''}">${mail.html && frame(mail.html)}<section><h2>Text</h2>${
      mail.text
        ? html`<pre tabindex="0">${withLinks(mail.text)}</pre>`
        : html`<p class="muted">This mail has no text part.</p>`
    }</section></div>`,
  };
}
