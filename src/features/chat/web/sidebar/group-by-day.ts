import { useSyncExternalStore } from 'react';
import { locale, m } from '#messages';
import { messageFormat } from '#shared/message-format.ts';
import type { ChatRow } from '../../contract.ts';

interface ChatGroup {
  label: string;
  rows: ChatRow[];
}

const day = 24 * 60 * 60 * 1000;
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function dayFormat(zone: string | undefined): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en', {
    calendar: 'gregory',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    timeZone: zone,
  });
  formats.set(zone, format);
  return format;
}

/**
 * Returns the days since 1 January 1970 in a zone (undefined: the viewer's). Counts calendar days, so that a day of 23
 * or 25 hours is one.
 */
export function dayNumber(at: Date, zone?: string): number {
  // On the server: formats are slow, and UTC has no short or long days.
  if (zone === 'UTC') return Math.floor(at.getTime() / day);
  const parts = dayFormat(zone).formatToParts(at);
  const [year = 0, month = 0, date = 0] = (['year', 'month', 'day'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  );
  return Date.UTC(year, month - 1, date) / day;
}

function dayLabel(rowDay: number, today: number): string {
  const ago = today - rowDay;
  // A time ahead of the viewer's clock counts as now.
  if (ago <= 0) return m.chat_day_today();
  if (ago === 1) return m.chat_day_yesterday();
  if (ago <= 7) return m.chat_day_week();
  if (ago <= 30) return m.chat_day_month();
  return messageFormat.date(locale(), rowDay * day, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

export function groupByDay(chats: ChatRow[], today: number, zone?: string): ChatGroup[] {
  const groups = new Map<string, ChatGroup>();
  for (const row of chats) {
    const label = dayLabel(dayNumber(new Date(row.updatedAt), zone), today);
    const group = groups.get(label) ?? { label, rows: [] };
    group.rows.push(row);
    groups.set(label, group);
  }
  return [...groups.values()];
}

/** Returns the pinned chats as the first group, newest pin first; then the others by day. */
export function groupChats(chats: ChatRow[], today: number, zone?: string): ChatGroup[] {
  const pinned = chats.filter(({ pinnedAt }) => pinnedAt !== null);
  const days = groupByDay(
    chats.filter(({ pinnedAt }) => pinnedAt === null),
    today,
    zone,
  );
  if (pinned.length === 0) return days;
  const pinTime = (row: ChatRow) => row.pinnedAt ?? '';
  pinned.sort((one, other) => (pinTime(one) < pinTime(other) ? 1 : -1));
  return [{ label: m.chat_pinned(), rows: pinned }, ...days];
}

function onNewDay(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    const midnight = new Date();
    midnight.setHours(24, 0, 0, 0);
    timer = setTimeout(
      () => {
        onChange();
        wait();
      },
      Math.max(1_000, midnight.getTime() - Date.now() + 100),
    );
  };
  wait();
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onChange);
  };
}

export function useToday(now: string): number {
  return useSyncExternalStore(
    onNewDay,
    () => dayNumber(new Date()),
    () => dayNumber(new Date(now), 'UTC'),
  );
}
