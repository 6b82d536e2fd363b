import { sql } from '#platform/database/sql.server.ts';
import { definitionOf, settingNames } from '#platform/settings/setting-definitions.server.ts';
import { Button } from '#ui/button.tsx';
import { PressField } from '../action-form.tsx';
import { Time, toIso } from '../cells.tsx';
import type { AdminTable } from '../table/admin-table.ts';
import { plainColumn } from '../table/columns.tsx';
import { displayText } from './settings-form.server.ts';

interface ChangeRow {
  change: number;
  at: Date;
  actor: string;
  undoes: number | null;
  values: Array<{ name: string; before: unknown; after: unknown }>;
  /** Whether at least one of its values is still in effect. */
  open: boolean;
}

const valueText = (name: string, value: unknown): string => {
  const definition = definitionOf(name);
  if (value === null) return 'default';
  return definition ? displayText(definition, value) : JSON.stringify(value);
};

const describeChange = ({ values }: ChangeRow) =>
  values
    .map(({ name, before, after }) => `${name}: ${valueText(name, before)} → ${valueText(name, after)}`)
    .join('\n');

function Values({ values }: ChangeRow) {
  return (
    <ul className="grid gap-1">
      {values.map(({ name, before, after }) => (
        <li key={name}>
          <a className="link" href={`/admin/settings#field-${name}`}>
            {definitionOf(name)?.label ?? name}
          </a>
          : <del>{valueText(name, before)}</del> <span aria-hidden="true">→</span>{' '}
          <ins className="no-underline">{valueText(name, after)}</ins>
        </li>
      ))}
    </ul>
  );
}

function UndoForm({ change, open }: ChangeRow) {
  return open ? (
    <form method="post" action={`/admin/settings/history/${change}/undo`}>
      <PressField />
      <Button type="submit">
        Undo<span className="visually-hidden"> change {change}</span>
      </Button>
    </form>
  ) : (
    <span className="muted">changed since</span>
  );
}

export const historyTable: AdminTable<ChangeRow> = {
  name: 'Settings history',
  path: '/admin/settings/history',
  rows: sql`
    select c.change, min(c.created_at) as at, min(c.actor) as actor, min(c.undoes) as undoes,
           json_agg(json_build_object('name', c.name, 'before', c.before, 'after', c.after) order by c.name) as values,
           array_agg(c.name) as names,
           string_agg(c.name || ' ' || coalesce(c.before::text, '') || ' ' || coalesce(c.after::text, ''), ' ') as words,
           bool_or((select n.after from setting_changes n where n.name = c.name order by n.change desc limit 1)
                   is not distinct from c.after) as open
      from setting_changes c group by c.change`,
  id: { column: 'change', type: 'bigint' },
  order: '-change',
  columns: [
    { key: 'what', label: 'Before and after', cell: (row) => <Values {...row} />, csv: describeChange },
    {
      key: 'undo',
      label: 'Undo',
      cell: (row) => <UndoForm {...row} />,
      csv: ({ open }) => (open ? 'yes' : 'no'),
    },
    {
      key: 'change',
      label: 'Change',
      sort: 'change',
      type: 'numeric',
      cell: ({ change, undoes }) => (undoes === null ? change : `${change}, undoes ${undoes}`),
      csv: ({ change }) => change,
    },
    { key: 'when', label: 'When (UTC)', cell: ({ at }) => <Time at={at} />, csv: ({ at }) => toIso(at) },
    plainColumn('who', 'Who', ({ actor }) => actor),
  ],
  /** A getter, because features register their settings at startup, after this module is loaded. */
  get filters() {
    const options = settingNames().map(
      (name) => [name, `${definitionOf(name)?.group}: ${definitionOf(name)?.label}`] as const,
    );
    return [
      { name: 'setting', label: 'Setting', options, where: (name: string) => sql`${name} = any(t.names)` },
    ];
  },
  search: {
    hint: 'Person or value',
    where: (_, pattern) => sql`(t.actor ilike ${pattern} or t.words ilike ${pattern})`,
  },
  empty: 'No changes yet.',
};

export const historyIntro = () => (
  <p className="max-w-prose text-sm">
    Undo restores every value of a change, except those that changed again later. Undoing is a change too, so
    you can undo it.{' '}
    <a className="link" href="/admin/settings">
      All settings
    </a>
  </p>
);
