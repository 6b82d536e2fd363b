/** The mailbox: a list, newest first, and a page for each mail. */
import { escapeHtml, type Page } from '../page.ts';
import { TEXT_LINK } from './mime.ts';
import type { StoredMail } from './store.ts';

/** Looks for new mail every two seconds while the page is seen; without scripts the page is read again by hand. */
const look = (newest: string) => `const shown=${JSON.stringify(newest)};
setInterval(async()=>{if(document.hidden)return;try{const answer=await fetch('/mail/newest');
if(answer.ok&&(await answer.json()).newest!==shown)location.reload()}catch{}},2000)`;

function time(at: string): string {
  return `<time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(0, 19).replace('T', ' '))} UTC</time>`;
}

function row(mail: StoredMail): string {
  return `<li><a href="/mail/${escapeHtml(mail.id)}"><b>${escapeHtml(mail.subject || 'No subject')}</b>${time(mail.at)}
<span class="muted">to ${escapeHtml(mail.to.join(', '))}</span></a></li>`;
}

/** The list of mails, newest first. */
export function listPage(mails: StoredMail[]): Page {
  const list =
    mails.length === 0
      ? '<p>No mail yet. What the product sends, to whatever address, arrives here and goes no further.</p>'
      : `<p class="muted">${mails.length === 1 ? 'One mail' : `${mails.length} mails`}, newest first. Nothing here was
sent to anybody.</p><ul class="list">${mails.map(row).join('')}</ul>`;
  return { title: 'Mailbox', body: `<h1>Mailbox</h1>${list}`, script: look(mails[0]?.id ?? '') };
}

/** Text with its links as anchors. */
function linked(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(TEXT_LINK)) {
    const link = escapeHtml(match[0]);
    html += `${escapeHtml(text.slice(end, match.index))}<a href="${link}" target="_top">${link}</a>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

/**
 * The HTML part in a frame without scripts, forms or an origin of its own; links open in the whole window and only
 * when a person follows them.
 */
function frame(html: string): string {
  const source = `<base target="_top">${html}`;
  return `<section><h2>As shown by a mail program</h2><iframe title="HTML part of the mail" tabindex="0"
sandbox="allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"
srcdoc="${escapeHtml(source)}"></iframe></section>`;
}

/** One mail. */
export function mailPage(mail: StoredMail): Page {
  const text = mail.text
    ? `<section><h2>Text</h2><pre tabindex="0">${linked(mail.text)}</pre></section>`
    : '<section><h2>Text</h2><p class="muted">This mail has no text part.</p></section>';
  const files = mail.attachments.map(
    ({ name, type, size }) => `${escapeHtml(name)} (${escapeHtml(type)}, ${size} bytes)`,
  );
  const unsubscribe = mail.headers['list-unsubscribe'];
  return {
    title: mail.subject || 'Mail',
    body: `<p><a href="/mail">All mails</a></p><h1>${escapeHtml(mail.subject || 'No subject')}</h1>
<dl><dt>From</dt><dd>${escapeHtml(mail.from)}</dd><dt>To</dt><dd>${escapeHtml(mail.to.join(', '))}</dd>
<dt>Arrived</dt><dd>${time(mail.at)}</dd>${unsubscribe ? `<dt>Unsubscribe</dt><dd>${linked(unsubscribe)}</dd>` : ''}
${files.length > 0 ? `<dt>Attached</dt><dd>${files.join('<br>')}</dd>` : ''}</dl>
<div class="parts${mail.html ? ' two' : ''}">${mail.html ? frame(mail.html) : ''}${text}</div>`,
  };
}
