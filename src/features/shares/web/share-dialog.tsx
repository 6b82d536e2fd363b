import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useClipboard } from '#client/use-clipboard.ts';
import { errorText, useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { timeText } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Share, ShareKind, ShareSource, SourceIds } from '../contract.ts';
import { ShareOptions, type ShareOptionValues } from './share-options.tsx';
import { changeShare, createShare, fetchSource, stopShare, updateShare } from './shares-api.ts';

/** The thing to share, with exactly one id. */
export type ShareTarget = SourceIds & { kind: ShareKind };

type Words = Record<ShareKind, (values: { count: number; title: string }) => string>;

const titles: Words = {
  chat: m.share_chat_title,
  reply: m.share_reply_title,
  text: m.share_text_title,
  script: m.share_script_title,
  images: m.share_images_title,
};

const shownFacts: Words = {
  chat: m.share_about_chat,
  reply: m.share_about_reply,
  text: m.share_about_text,
  script: m.share_about_script,
  images: m.share_about_images,
};

const audiences: Words = {
  chat: m.share_who_reads,
  reply: m.share_who_reads,
  text: m.share_who_reads_text,
  script: m.share_who_reads_text,
  images: m.share_who_sees,
};

/** When one of them disappears, the other gets the focus. */
const [LINK, CREATE] = ['share-link', 'share-create'];
const day = { dateStyle: 'long' } as const;
const dateTime = { dateStyle: 'medium', timeStyle: 'short' } as const;

function useSource({ kind, ...shared }: ShareTarget) {
  const [source, setSource] = useState<ShareSource | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const initial = useRef(shared);
  useEffect(() => {
    fetchSource(initial.current).then(setSource, (error) =>
      setFailed(errorText(error, m.common_connection_lost())),
    );
  }, []);
  return { source, failed };
}

interface LinkProps {
  share: Share;
  onChanged: (share: Share | null) => void;
}

/** Each change takes effect immediately. */
function SharedLink({ share, onChanged }: LinkProps) {
  const { busy, error, change } = useMutation(CREATE);
  const { copied, copy } = useClipboard();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const { id, url, endsAt, kind, count } = share;
  // Images do not change.
  const isUpdatable = kind !== 'images';
  const end = endsAt === null ? m.share_end_never() : m.share_ends({ date: timeText(endsAt, day) });
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <input
          ref={field}
          id={LINK}
          className="input min-w-0 flex-1 basis-48"
          aria-label={m.share_link()}
          dir="ltr"
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="primary" onClick={() => copy(url)}>
          {copied ? m.copied() : m.common_copy_link()}
        </Button>
      </div>
      <ShareOptions
        showName={share.showName}
        showPrompts={share.showPrompts}
        images={isUpdatable ? 0 : count}
        indexed={share.indexed}
        days={endsAt === null ? null : undefined}
        end={end}
        onChange={(options) =>
          void change({ key: 'options', work: () => changeShare(id, options), apply: onChanged })
        }
      />
      {isUpdatable ? (
        <p className="hint">{m.share_updated({ time: timeText(share.updatedAt, dateTime) })}</p>
      ) : null}
      {error ? <Notice kind="danger">{error}</Notice> : null}
      <div className="flex flex-wrap gap-3">
        {isUpdatable ? (
          <Button
            aria-busy={busy === 'update'}
            onClick={() =>
              void change({
                key: 'update',
                work: () => updateShare(id),
                apply: onChanged,
                done: m.share_update_done(),
              })
            }
          >
            {m.share_update()}
          </Button>
        ) : null}
        <Button variant="ghost" href={url} target="_blank" rel="noopener">
          {m.common_open()}
        </Button>
        <Button
          variant="danger"
          aria-busy={busy === 'stop'}
          onClick={() =>
            void change({
              key: 'stop',
              work: () => stopShare(id),
              apply: () => onChanged(null),
              done: m.share_stopped(),
            })
          }
        >
          {m.share_stop()}
        </Button>
      </div>
    </>
  );
}

interface NewLinkProps {
  shared: ShareTarget;
  source: ShareSource;
  onCreated: (share: Share) => void;
}

function NewLink({ shared: { kind, ...ids }, source, onCreated }: NewLinkProps) {
  const { busy, error, change } = useMutation(LINK);
  const [options, setOptions] = useState<ShareOptionValues>({
    showName: false,
    showPrompts: false,
    indexed: false,
    days: null,
  });
  return (
    <>
      <ShareOptions
        {...options}
        images={kind === 'images' ? source.count : 0}
        end={null}
        onChange={(changed) => setOptions((current) => ({ ...current, ...changed }))}
      />
      {error ? <Notice kind="danger">{error}</Notice> : null}
      <Button
        id={CREATE}
        variant="primary"
        className="justify-self-start"
        aria-busy={busy !== null}
        onClick={() =>
          void change({ key: 'new', work: () => createShare({ ...ids, ...options }), apply: onCreated })
        }
      >
        {m.share_create()}
      </Button>
    </>
  );
}

function SourceFacts({ source }: { source: ShareSource }) {
  const { kind, count, title, files, drawn } = source;
  return (
    <div className="muted grid gap-1 text-sm">
      <p>{shownFacts[kind]({ count, title })}</p>
      {drawn > 0 ? <p>{m.share_without_images({ count: drawn })}</p> : null}
      {files > 0 ? <p>{m.share_without_files({ count: files })}</p> : null}
      <p>{audiences[kind]({ count, title })}</p>
    </div>
  );
}

function ShareDialog({ shared, onClose }: { shared: ShareTarget; onClose: () => void }) {
  const { source, failed } = useSource(shared);
  const [changed, setChanged] = useState<Share | null | undefined>(undefined);
  const share = changed === undefined ? (source?.share ?? null) : changed;
  return (
    <Dialog
      title={titles[shared.kind]({ count: shared.pictureIds?.length ?? 1, title: '' })}
      onClose={onClose}
    >
      {() => (
        <div className="dialog-body grid gap-4" aria-busy={source === null && failed === null}>
          {failed ? <Notice kind="danger">{failed}</Notice> : null}
          {source === null && failed === null ? <p className="muted">{m.chat_loading()}</p> : null}
          {source && share?.takenDown ? <Notice kind="danger">{m.share_taken_down()}</Notice> : null}
          {source && !share?.takenDown ? (
            <>
              <SourceFacts source={source} />
              {share ? (
                <SharedLink key={share.id} share={share} onChanged={setChanged} />
              ) : (
                <NewLink shared={shared} source={source} onCreated={setChanged} />
              )}
              <p className="fine">
                {m.share_all({
                  link: (text) => (
                    <a className="link" href="/settings#settings-shares">
                      {text}
                    </a>
                  ),
                })}
              </p>
            </>
          ) : null}
        </div>
      )}
    </Dialog>
  );
}

/** Uses a separate React root, so that the page around it loads nothing for it. */
export function openShareDialog(shared: ShareTarget): void {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const unmount = () => {
    root.unmount();
    container.remove();
  };
  root.render(<ShareDialog shared={shared} onClose={() => queueMicrotask(unmount)} />);
}
