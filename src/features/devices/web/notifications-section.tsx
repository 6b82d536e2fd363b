import { useEffect, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';
import { notificationsOffered } from '#shared/offline-app.ts';
import { setting } from '#shared/settings.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { Notice } from '#ui/notice.tsx';
import {
  isNotified,
  type NotificationSupport,
  notificationSupport,
  turnOffNotifications,
  turnOnNotifications,
} from './notifications.ts';

const HEADING = 'settings-notifications';

const unsupported: Record<Exclude<NotificationSupport, 'yes'>, () => string> = {
  no: m.notify_unsupported,
  install: () => m.notify_install({ name: setting('brand.name') }),
};

/** Shows the actual state: a click without effect leaves the switch as it was. */
function NotificationSwitch({ owner }: { owner: string }) {
  const [isOn, setOn] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setOn(isNotified(owner)), [owner]);
  const turn = async (on: boolean) => {
    setBusy(true);
    setProblem(null);
    try {
      if (!on) await turnOffNotifications();
      else if (!(await turnOnNotifications()))
        // Closing the browser's prompt is not a refusal.
        return setProblem(Notification.permission === 'denied' ? m.notify_blocked() : null);
      setOn(on);
      toast({ text: on ? m.notify_is_on() : m.notify_is_off(), kind: 'success' });
    } catch (error) {
      setProblem(error instanceof ProblemError ? error.message : m.notify_unreached());
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Checkbox checked={isOn} busy={isBusy} onChange={(on) => void turn(on)}>
        {m.notify_enabled()}
      </Checkbox>
      {problem ? <Notice kind="danger">{problem}</Notice> : null}
    </>
  );
}

/** Loaded separately from the settings page, because its content depends only on this browser. */
export default function NotificationsSection({ owner }: { owner: string }) {
  const [support, setSupport] = useState<NotificationSupport>('yes');
  useEffect(() => setSupport(notificationSupport()), []);
  const refusal = notificationsOffered() ? (support === 'yes' ? null : unsupported[support]) : m.notify_off;
  return (
    <section className="grid gap-3" aria-labelledby={HEADING}>
      <div className="grid gap-1">
        <h2 className="h3" id={HEADING} tabIndex={-1}>
          {m.notify_settings()}
        </h2>
        <p className="muted text-sm">{m.notify_about()}</p>
      </div>
      <div className="card grid gap-5">
        {refusal ? <p className="text-sm">{refusal()}</p> : <NotificationSwitch owner={owner} />}
      </div>
    </section>
  );
}
