import { useState } from 'react';
import type { SessionRow } from '../../contract.ts';
import { endOtherSessions, endSession, textOf, toast } from './api.ts';
import { deviceName } from './device-name.ts';
import { LocalTime } from './local-time.tsx';
import { ErrorLine, Section } from './section.tsx';

function Row({ session, busy, onEnd }: { session: SessionRow; busy: boolean; onEnd: () => void }) {
  const name = deviceName(session.userAgent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
      <div>
        <p className="text-sm font-semibold">
          {name}
          {session.current ? <span className="mark ml-2 font-normal">This device</span> : null}
        </p>
        <p className="hint">
          Last seen <LocalTime iso={session.lastSeenAt} />
        </p>
      </div>
      {session.current ? null : (
        <button
          type="button"
          className="btn btn-secondary"
          aria-label={`End the session ${name}`}
          aria-busy={busy}
          onClick={onEnd}
        >
          End
        </button>
      )}
    </li>
  );
}

/** The sessions as they are ended here, until the page is read anew. */
function useSessions(first: SessionRow[]) {
  const [sessions, setSessions] = useState(first);
  const [seen, setSeen] = useState(first);
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  if (seen !== first) {
    setSeen(first);
    setSessions(first);
  }

  async function end(
    which: string,
    work: () => Promise<unknown>,
    gone: (row: SessionRow) => boolean,
    done: string,
  ) {
    if (busy) return;
    setBusy(which);
    setError(null);
    try {
      await work();
      setSessions((rows) => rows.filter((row) => !gone(row)));
      toast(done);
    } catch (failure) {
      setError(textOf(failure));
    }
    setBusy(null);
  }

  return {
    sessions: sessions.toSorted((a, b) => Number(b.current) - Number(a.current)),
    busy,
    error,
    endOne: (id: string) =>
      end(
        id,
        () => endSession(id),
        (row) => row.id === id,
        'Session ended.',
      ),
    endOthers: () => end('others', endOtherSessions, (row) => !row.current, 'Signed out everywhere else.'),
  };
}

/** Where the person is signed in. */
export function SessionsSection({ first }: { first: SessionRow[] }) {
  const { sessions, busy, error, endOne, endOthers } = useSessions(first);
  return (
    <Section
      id="settings-sessions"
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
