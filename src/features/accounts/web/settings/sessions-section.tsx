import { useLoadedState } from '#client/use-loaded-state.ts';
import { useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { SessionRow } from '../../contract.ts';
import { deviceName } from './device-name.ts';
import { endOtherSessions, endSession } from './settings-api.ts';
import { ErrorLine, SettingsSection } from './settings-section.tsx';

const HEADING = 'settings-sessions';

function Row({ session, busy, onEnd }: { session: SessionRow; busy: boolean; onEnd: () => void }) {
  // The button's name includes the session, because similar devices differ only by when they were last seen.
  const [name, seen, end] = ['name', 'seen', 'end'].map((part) => `session-${part}-${session.id}`);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
      <div>
        <p className="text-sm font-semibold">
          <span id={name}>{deviceName(session.userAgent)}</span>{' '}
          {session.current ? (
            <span className="ms-2 rounded-full border border-line-strong px-2 text-2xs font-normal">
              {m.session_this_device()}
            </span>
          ) : null}
        </p>
        <p className="hint" id={seen}>
          {m.session_last_seen({ time: () => <LocalTime iso={session.lastSeenAt} /> })}
        </p>
      </div>
      {session.current ? null : (
        <Button id={end} aria-labelledby={`${end} ${name} ${seen}`} aria-busy={busy} onClick={onEnd}>
          {m.session_end()}
        </Button>
      )}
    </li>
  );
}

export function SessionsSection({ first }: { first: SessionRow[] }) {
  const [sessions, setSessions] = useLoadedState(first);
  const { busy, error, change } = useMutation(HEADING);
  const currentFirst = sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
  const endOne = (id: string) =>
    change({
      key: id,
      work: () => endSession(id),
      apply: () => setSessions((now) => now.filter((row) => row.id !== id)),
      done: m.session_ended(),
    });
  const endOthers = () =>
    change({
      key: 'others',
      work: endOtherSessions,
      apply: () => setSessions((now) => now.filter(({ current }) => current)),
      done: m.session_others_ended(),
    });
  return (
    <SettingsSection id={HEADING} title={m.session_title()} about={m.session_about()}>
      <ul>
        {currentFirst.map((session) => (
          <Row
            key={session.id}
            session={session}
            busy={busy === session.id}
            onEnd={() => endOne(session.id)}
          />
        ))}
      </ul>
      <ErrorLine text={error} />
      {sessions.some(({ current }) => !current) ? (
        <Button className="justify-self-start" aria-busy={busy === 'others'} onClick={endOthers}>
          {m.session_end_others()}
        </Button>
      ) : null}
    </SettingsSection>
  );
}
