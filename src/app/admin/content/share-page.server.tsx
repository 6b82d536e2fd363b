import { sharedImagePath, sharePath } from '#features/shares/contract.ts';
import { reportReasons } from '#features/shares/report-contract.ts';
import { decideOnReports, reportedShare } from '#features/shares/service.server.ts';
import { ActionForm } from '../action-form.tsx';
import { performOnce, readAction, reasonField, redirectAfterAction } from '../actions.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import { AdminRefusal, type AdminRequest } from '../admin-request.server.ts';
import { PersonLink, Time } from '../cells.tsx';

const kinds = { chat: 'Chat', reply: 'Reply', text: 'Text', script: 'Script', images: 'Images' } as const;

type Reported = NonNullable<Awaited<ReturnType<typeof reportedShare>>>;

const notFoundError = () => new AdminRefusal('No reported page has this address.', 404);

async function requireShare(id: string): Promise<Reported> {
  const share = await reportedShare(id);
  if (!share) throw notFoundError();
  return share;
}

function Decisions({ share: { id, page, reports } }: { share: Reported }) {
  const path = `/admin/shares/${id}`;
  return (
    <section className="row items-start" aria-label="Actions">
      {page && !page.taken_down_at ? (
        <ActionForm
          name="Take down"
          action={`${path}/take-down`}
          verb="Take down"
          danger
          description="Its address returns 404 at once, its content is erased, and its owner can’t share the same thing again. This can’t be undone."
        />
      ) : null}
      {reports.some(({ closed_at }) => closed_at === null) ? (
        <ActionForm name="Keep" action={`${path}/keep`} verb="Close the reports" reason={false} />
      ) : null}
    </section>
  );
}

function State({ page, id }: Reported) {
  if (!page) return <>No longer shared: the owner stopped sharing it, or it was deleted.</>;
  if (page.taken_down_at)
    return (
      <>
        Taken down <Time at={page.taken_down_at} />
      </>
    );
  return (
    <a className="link" href={sharePath(id)}>
      Open the page
    </a>
  );
}

/** The content that visitors of the shared page see. */
function SharedContent({ page, id }: Reported) {
  if (!page || page.taken_down_at) return null;
  const { messages, content, picture_ids } = page;
  const card = 'card whitespace-pre-wrap wrap-anywhere';
  return (
    <>
      {messages?.map(({ role, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity except their position
        <p key={at} className={card} dir="auto">
          <b>{role === 'user' ? 'Question' : 'Reply'}:</b> {text}
        </p>
      ))}
      {content === null ? null : (
        <p className={card} dir="auto">
          {content}
        </p>
      )}
      {picture_ids?.map((picture, at) => (
        <img
          key={picture}
          className="max-w-full rounded-sm border border-line"
          src={`${sharedImagePath(id, at + 1)}?w=320`}
          alt={`${at + 1} of ${picture_ids.length}`}
          width={320}
          loading="lazy"
        />
      ))}
    </>
  );
}

export async function sharePage(request: AdminRequest): Promise<Response> {
  const share = await requireShare(request.params.id ?? '');
  const { page, reports, ownerId } = share;
  const title = page?.title ?? 'Shared page';
  return adminPage(request, {
    title,
    here: '/admin/shares',
    children: (
      <>
        <h1 className="h2 wrap-anywhere" dir="auto">
          {title}
        </h1>
        <p className="text-sm text-fg-muted">
          {page ? `${kinds[page.kind]}. ` : ''}
          <State {...share} /> By <PersonLink id={ownerId} email="this person" />
        </p>
        <Decisions share={share} />
        {reports.map(({ reason, words, created_at, closed_at }) => (
          <p key={created_at.toISOString()} className="text-sm wrap-anywhere">
            {closed_at ? 'Resolved. ' : ''}Reported <Time at={created_at} />: {reportReasons[reason]()}
            {words ? ` “${words}”` : ''}
          </p>
        ))}
        <SharedContent {...share} />
      </>
    ),
  });
}

export async function decideOnShare(request: AdminRequest): Promise<Response> {
  const { id = '', decision = '' } = request.params;
  if (decision !== 'take-down' && decision !== 'keep') throw notFoundError();
  const { ownerId } = await requireShare(id);
  const { action } = await readAction(request, decision === 'keep' ? {} : reasonField);
  const details = { share: id, decision };
  await performOnce(action, { action: 'share', userId: ownerId, details }, (tx) =>
    decideOnReports(tx, id, decision),
  );
  return redirectAfterAction(request, `/admin/shares/${id}`, action);
}
