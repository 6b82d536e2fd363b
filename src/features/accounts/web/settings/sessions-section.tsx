import { LocalTime } from '../../../../ui/local-time.tsx';
import type { SessionRow } from '../../contract.ts';
import { endOtherSessions, endSession } from './api.ts';
import { deviceName } from './device-name.ts';
import { ErrorLine, Section } from './section.tsx';
import { useChange, useList } from './use-change.ts';

const HEADING = 'settings-sessions';

function Row({ session, busy, onEnd }: { session: SessionRow; busy: boolean; onEnd: () => void }) {
  // Its name says which session it ends, as the row does: devices of one kind differ by when they were last seen.
  const [name, seen, end] = ['name', 'seen', 'end'].map((part) => `session-${part}-${session.id}`);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
      <div>
        <p className="text-sm font-semibold">
          <span id={name}>{deviceName(session.userAgent)}</span>
          {session.current ? (
            <>
              {' '}
              <span className="mark ml-1 font-normal">This device</span>
            </>
          ) : null}
        </p>
        <p className="hint" id={seen}>
          Last seen <LocalTime iso={session.lastSeenAt} />
        </p>
      </div>
      {session.current ? null : (
        <button
          type="button"
          className="btn btn-secondary"
          id={end}
          aria-labelledby={`${end} ${name} ${seen}`}
          aria-busy={busy}
          onClick={onEnd}
        >
          End<span className="visually-hidden"> the session</span>
        </button>
      )}
    </li>
  );
}

/** Where the person is signed in. */
export function SessionsSection({ first }: { first: SessionRow[] }) {
  const { rows, without } = useList(first);
  const { busy, error, change } = useChange(HEADING);
  const sessions = rows.toSorted((a, b) => Number(b.current) - Number(a.current));
  const endOne = (id: string) =>
    change({
      which: id,
      work: () => endSession(id),
      apply: () => without((row) => row.id === id),
      done: 'Session ended.',
    });
  const endOthers = () =>
    change({
      which: 'others',
      work: endOtherSessions,
      apply: () => without(({ current }) => !current),
      done: 'Signed out everywhere else.',
    });
  return (
    <Section
      id={HEADING}
      title="Sessions"
      about="Every place where you are signed in. One that you end is closed within a second."
    >
      <ul>
        {sessions.map((session) => (
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
        <button
          type="button"
          className="btn btn-secondary justify-self-start"
          aria-busy={busy === 'others'}
          onClick={endOthers}
        >
          Sign out everywhere else
        </button>
      ) : null}
    </Section>
  );
}
