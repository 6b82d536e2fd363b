import { useEffect, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { m } from '#messages';
import { notificationsOffered } from '#shared/offline-app.ts';
import { Button } from '#ui/button.tsx';
import { notificationSupport, turnOnNotifications } from './notifications.ts';

/** Shown next to a long run, unless notifications are on, were refused or switched off before, or are unsupported. */
export default function NotifyOffer() {
  const [isOpen, setOpen] = useState(false);
  useEffect(
    () =>
      setOpen(
        notificationsOffered() && notificationSupport() === 'yes' && Notification.permission === 'default',
      ),
    [],
  );
  if (!isOpen) return null;
  const accept = async () => {
    setOpen(false);
    try {
      if (await turnOnNotifications()) toast({ text: m.notify_is_on(), kind: 'success' });
    } catch {
      toast({ text: m.notify_unreached(), kind: 'danger' });
    }
  };
  return (
    <Button variant="ghost" onClick={() => void accept()}>
      {m.notify_offer()}
    </Button>
  );
}
