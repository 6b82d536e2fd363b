import { useClipboard } from '#client/use-clipboard.ts';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { type Mutation, useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Share, ShareKind } from '../contract.ts';
import { stopShare } from './shares-api.ts';

const HEADING = 'settings-shares';
const day = { dateStyle: 'long' } as const;

const kinds: Record<ShareKind, (values: { count: number }) => string> = {
  chat: m.shares_chat,
  reply: m.shares_reply,
  text: m.shares_text,
  script: m.shares_script,
  images: m.shares_images,
};

function describeState({ takenDown, ended, endsAt }: Share) {
  if (takenDown) return m.shares_taken_down({ brand: setting('brand.name') });
  if (ended) return m.shares_ended();
  if (endsAt === null) return m.shares_endless();
  return m.shares_end({ date: () => <LocalTime iso={endsAt} format={day} /> });
}

interface ShareRowProps extends Pick<Mutation, 'busy' | 'change'> {
  share: Share;
  onStopped: () => void;
}

function ShareRow({ share, busy, change, onStopped }: ShareRowProps) {
  const { copied, copy } = useClipboard();
  const { id, url, title, kind, count, createdAt } = share;
  const [name, open, link, stop] = ['name', 'open', 'copy', 'stop'].map((part) => `share-${part}-${id}`);
  const stopSharing = () =>
    change({ key: id, work: () => stopShare(id), apply: onStopped, done: m.share_stopped() });
  return (
    <li className="grid gap-3 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
      <div className="grid gap-1">
        <p className="text-sm font-semibold wrap-anywhere" id={name} dir="auto">
          {title}
        </p>
        <p className="hint">
          {kinds[kind]({ count })}
          {' · '}
          <LocalTime iso={createdAt} format={day} />
          {' · '}
          {describeState(share)}
        </p>
      </div>
      {share.takenDown ? null : (
        <div className="flex flex-wrap gap-3">
          {share.ended ? null : (
            <>
              <Button id={open} aria-labelledby={`${open} ${name}`} href={url} target="_blank" rel="noopener">
                {m.common_open()}
              </Button>
              <Button id={link} aria-labelledby={`${link} ${name}`} onClick={() => copy(url)}>
                {copied ? m.copied() : m.common_copy_link()}
              </Button>
            </>
          )}
          <Button id={stop} aria-labelledby={`${stop} ${name}`} aria-busy={busy === id} onClick={stopSharing}>
            {m.share_stop()}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Loaded separately from the settings page. */
export default function SharesSection({ first }: { first: Share[] }) {
  const [shares, setShares] = useLoadedState(first);
  const { busy, error, change } = useMutation(HEADING);
  return (
    <section className="grid gap-3" aria-labelledby={HEADING}>
      <div className="grid gap-1">
        <h2 className="h3" id={HEADING} tabIndex={-1}>
          {m.shares_title()}
        </h2>
        <p className="muted text-sm">{m.shares_about()}</p>
      </div>
      <div className="card grid gap-5">
        {shares.length === 0 ? <p className="muted text-sm">{m.shares_none()}</p> : null}
        <ul>
          {shares.map((share) => (
            <ShareRow
              key={share.id}
              share={share}
              busy={busy}
              change={change}
              onStopped={() => setShares((current) => current.filter((each) => each.id !== share.id))}
            />
          ))}
        </ul>
        {error ? <Notice kind="danger">{error}</Notice> : null}
      </div>
    </section>
  );
}
