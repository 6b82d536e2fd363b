import { useEffect, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { local } from '#client/storage.ts';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { offlineApp } from '#shared/offline-app.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { Notice } from '#ui/notice.tsx';
import { keepingKey } from '../contract.ts';
import { onKeptChange, startKeeping, stopKeeping } from './keep-chats.ts';
import { keptEntries } from './sealed-chats.ts';
import { registerWorker } from './service-worker.ts';

const HEADING = 'settings-offline';

interface KeptSummary {
  count: number;
  bytes: number;
}

/** Null until it is known. */
function useKeptSummary(): [kept: KeptSummary | null, refresh: () => void] {
  const [kept, setKept] = useState<KeptSummary | null>(null);
  const refresh = () =>
    void keptEntries()
      .catch(() => [])
      .then((entries) =>
        setKept({ count: entries.length, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0) }),
      );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, and whenever something was kept
  useEffect(() => {
    refresh();
    return onKeptChange(refresh);
  }, []);
  return [kept, refresh];
}

/** Loaded separately from the settings page, because its content depends only on this browser. */
export default function OfflineSection({ owner }: { owner: string }) {
  const [isOn, setOn] = useState(false);
  const [refused, setRefused] = useState(false);
  const [kept, refresh] = useKeptSummary();
  // An installed app may have started to keep chats by default.
  useEffect(() => {
    const update = () => setOn(local.getItem(keepingKey) === owner);
    update();
    return onKeptChange(update);
  }, [owner]);
  if (!offlineApp()) return null;
  const turnOn = async () => {
    setOn(true);
    const isKept = (await registerWorker()) !== null && local.setItem(keepingKey, owner);
    setRefused(!isKept);
    setOn(isKept);
    if (!isKept) return;
    startKeeping();
    toast({ text: m.offline_is_on(), kind: 'success' });
  };
  const turnOff = async () => {
    setOn(false);
    await stopKeeping().catch(() => undefined);
    refresh();
    toast({ text: m.offline_is_off(), kind: 'success' });
  };
  return (
    <section className="grid gap-3" aria-labelledby={HEADING}>
      <div className="grid gap-1">
        <h2 className="h3" id={HEADING} tabIndex={-1}>
          {m.offline_settings()}
        </h2>
        <p className="muted text-sm">{m.offline_about()}</p>
      </div>
      <div className="card grid gap-2">
        <Checkbox checked={isOn} onChange={(on) => void (on ? turnOn() : turnOff())}>
          {m.offline_enabled()}
        </Checkbox>
        {refused ? <Notice kind="danger">{m.offline_refused()}</Notice> : null}
        {isOn && kept ? (
          <p className="muted text-sm" role="status">
            {m.offline_kept({ count: kept.count, size: formatBytes(kept.bytes) })}
          </p>
        ) : null}
      </div>
    </section>
  );
}
