import { z } from 'zod';
import {
  findIssue,
  listIssues,
  newsletterCounts,
  previewIssue,
  sendIssue,
  sendTestIssue,
} from '#features/support/service.server.ts';
import { transaction } from '#platform/database/database.server.ts';
import { pressWasRecorded, recordAction } from '#platform/operator-actions.server.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { markdownToHtml } from '#ui/markdown/markdown-to-html.ts';
import { Notice } from '#ui/notice.tsx';
import { ActionForm, PressField } from '../action-form.tsx';
import { performOnce, readAction, redirectAfterAction, wasRecorded } from '../actions.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import { AdminRefusal, type AdminRequest, readForm } from '../admin-request.server.ts';
import { Time } from '../cells.tsx';
import { SmallTable } from '../small-table.tsx';

const here = '/admin/newsletter';

const issueFields = { subject: z.string().max(300), body: z.string().max(300_000) };

interface Issue {
  subject: string;
  body: string;
}

function IssueForm({ subject, body }: Issue) {
  return (
    <form method="post" action={`${here}/preview`} className="grid gap-4">
      <h2 className="h3">{body === '' ? 'New issue' : 'Edit'}</h2>
      <Field label="Subject">
        {(control) => (
          <input
            {...control}
            className="input"
            name="subject"
            maxLength={150}
            defaultValue={subject}
            required
          />
        )}
      </Field>
      <Field label="Text" hint="Markdown. The postal address and an unsubscribe link are added below it.">
        {(control) => (
          <textarea {...control} className="textarea" name="body" rows={12} defaultValue={body} required />
        )}
      </Field>
      <div>
        <Button type="submit">Preview</Button>
      </div>
    </form>
  );
}

export async function newsletterPage(request: AdminRequest): Promise<Response> {
  const [{ subscribers, requests, left }, issues] = await Promise.all([newsletterCounts(), listIssues()]);
  return adminPage(request, {
    title: 'Newsletter',
    here,
    children: (
      <>
        <h1 className="h2">Newsletter</h1>
        <p>
          {subscribers} subscribed, {requests} awaiting confirmation, {left} unsubscribed.
        </p>
        <SmallTable
          title="Issues"
          columns={['Sent (UTC)', 'Subject', 'Sent', 'Waiting', 'Unknown', 'Rejected']}
          figuresFrom={2}
          emptyText="No issues yet."
          rows={issues.map(({ id, subject, released_at, sent, waiting, taken, failed }) => ({
            key: id,
            cells: [
              released_at ? <Time key="at" at={released_at} /> : 'not sent yet',
              <a key="subject" className="link wrap-anywhere" href={`${here}/${id}`}>
                {subject}
              </a>,
              sent,
              waiting,
              taken,
              failed,
            ],
          }))}
        />
        <IssueForm subject="" body="" />
      </>
    ),
  });
}

function HiddenFields({ subject, body }: Issue) {
  return (
    <>
      <input type="hidden" name="subject" value={subject} />
      <input type="hidden" name="body" value={body} />
    </>
  );
}

function MailPreview({ markdown, text }: { markdown: string; text: string }) {
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered as in the email, which escapes HTML */}
      <div className="card md max-w-2xl" dangerouslySetInnerHTML={{ __html: markdownToHtml(markdown) }} />
      <details className="text-sm">
        <summary className="link w-fit cursor-pointer">Plain-text version</summary>
        <p className="card mt-2 whitespace-pre-wrap wrap-anywhere">{text}</p>
      </details>
    </>
  );
}

async function renderPreview(request: AdminRequest, issue: Issue): Promise<Response> {
  const { markdown, text, subscribers, before } = await previewIssue(issue);
  return adminPage(request, {
    title: 'Preview',
    here,
    children: (
      <>
        <h1 className="h2 wrap-anywhere">{issue.subject}</h1>
        {before?.released_at ? (
          <Notice kind="warning">This text was already sent. It can’t be sent again.</Notice>
        ) : null}
        <MailPreview markdown={markdown} text={text} />
        <section className="row items-start" aria-label="Actions">
          <form method="post" action={`${here}/trial`}>
            <PressField />
            <HiddenFields {...issue} />
            <Button type="submit">Send a test to me</Button>
          </form>
          {before?.released_at ? null : (
            <ActionForm
              name="Send"
              action={`${here}/send`}
              verb={`Send to all subscribers (${subscribers})`}
              danger
              reason={false}
              description="This can’t be undone, and the same text can’t be sent twice."
            >
              <HiddenFields {...issue} />
            </ActionForm>
          )}
        </section>
        <IssueForm {...issue} />
      </>
    ),
  });
}

export async function previewPage(request: AdminRequest): Promise<Response> {
  return renderPreview(request, await readForm(request, z.object(issueFields)));
}

export async function issuePage(request: AdminRequest): Promise<Response> {
  const issue = await findIssue(request.params.id ?? '');
  if (!issue) throw new AdminRefusal('Issue not found.', 404);
  return renderPreview(request, issue);
}

export async function sendTest(request: AdminRequest): Promise<Response> {
  const { action, fields } = await readAction(request, issueFields);
  await performOnce(action, { action: 'newsletter trial' }, (tx) =>
    sendTestIssue(tx, fields, request.operator.email),
  );
  const { before } = await previewIssue(fields);
  return redirectAfterAction(request, before ? `${here}/${before.id}` : here, action);
}

export async function sendToAll(request: AdminRequest): Promise<Response> {
  const { action, fields } = await readAction(request, issueFields);
  if (!(await wasRecorded(action)))
    await transaction(async (tx) => {
      // Before `recordAction`, which needs the number of emails; a second press waits here for the issue's row lock.
      const mails = await sendIssue(tx, fields);
      if (mails !== null)
        await recordAction(tx, {
          ...action,
          action: 'newsletter',
          details: { subject: fields.subject, mails },
        });
      else if (!(await pressWasRecorded(tx, action.press)))
        throw new AdminRefusal('This text was already sent. Nothing was sent again.', 409);
    });
  return redirectAfterAction(request, here, action);
}
