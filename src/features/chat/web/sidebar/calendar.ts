import type { ChatRow } from '../../contract.ts';

export interface ChatGroup {
  label: string;
  rows: ChatRow[];
}

const day = 24 * 60 * 60 * 1000;
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function formatOf(zone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    calendar: 'gregory',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    timeZone: zone,
  });
  formats.set(zone, made);
  return made;
}

/**
 * The calendar day of a time in a time zone (undefined: the viewer's own), counted from 1 January 1970. Days are
 * counted, not hours, so that a day of 23 or 25 hours is one day.
 */
export function dayOf(at: Date, zone?: string): number {
  const parts = formatOf(zone).formatToParts(at);
  const [year = 0, month = 0, date = 0] = (['year', 'month', 'day'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  );
  return Date.UTC(year, month - 1, date) / day;
}

function labelOf(rowDay: number, today: number): string {
  const ago = today - rowDay;
  // A time ahead of the viewer's clock counts as now.
  if (ago <= 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  if (ago <= 7) return 'Previous 7 days';
  if (ago <= 30) return 'Previous 30 days';
  return new Date(rowDay * day).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** Chats under the headings of the viewer's calendar, in their order. `today` is a day as `dayOf` counts it. */
export function groupByDay(chats: ChatRow[], today: number, zone?: string): ChatGroup[] {
  const groups = new Map<string, ChatGroup>();
  for (const row of chats) {
    const label = labelOf(dayOf(new Date(row.updatedAt), zone), today);
    const group = groups.get(label) ?? { label, rows: [] };
    group.rows.push(row);
    groups.set(label, group);
  }
  return [...groups.values()];
}
