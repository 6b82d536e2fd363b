import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { emptyDatabase } from './support/postgres.ts';

const folder = resolve(import.meta.dirname, '../migrations');
const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
const textOf = (name: string) => readFileSync(resolve(folder, name), 'utf8');
const versionOf = (name: string) => name.slice(0, 4);

/** Later migrations must also work with the previous build (docs/architecture.md, Migrations). */
const LAST_BEFORE_THE_RULE = '0038';

/** Lists the schema, a line each: what queries of a build may use, and what may make a write fail. */
const CATALOGUE = `
  with own as (select oid, relname, relkind from pg_class
                where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')),
       named as (select attrelid, attnum, format('column %s.%s of type %s', relname, attname, format_type(atttypid, atttypmod)) as line,
                        format('a value for %s.%s', relname, attname) as wanted, attnotnull and not atthasdef and attidentity = '' as needed,
                        relname, relkind
                   from own join pg_attribute on attrelid = own.oid where attnum > 0 and not attisdropped and relkind <> 'S')
  select 'offers' as kind, relname as of, format('%s %s', case relkind when 'S' then 'sequence' else 'table' end, relname) as line,
         null::text[] as columns, null as type
    from own
  union all
  select 'offers', relname, line, null, null from named
  union all
  select 'demands', relname, wanted, null, null from named where relkind in ('r', 'p') and needed
  union all
  select 'demands', relname, format('constraint %s of %s', conname, relname),
         array(select line from named where attrelid = conrelid and attnum = any (conkey)), contype::text
    from own join pg_constraint on conrelid = own.oid where contype in ('c', 'f', 'u', 'p', 'x')
  union all
  select 'demands', relname, format('unique index %s', indexrelid::regclass),
         array(select line from named where attrelid = indrelid and attnum = any (indkey)), 'u'
    from own join pg_index on indrelid = own.oid
   where indisunique and not exists (select 1 from pg_constraint where conindid = indexrelid)
  union all
  select 'offers', proname, format('function %s(%s) returns %s', proname, pg_get_function_identity_arguments(oid), pg_get_function_result(oid)), null, null
    from pg_proc where pronamespace = current_schema()::regnamespace
  union all
  select 'offers', typname, format('value %s of %s', enumlabel, typname), null, null
    from pg_enum join pg_type on pg_type.oid = enumtypid where typnamespace = current_schema()::regnamespace`;

interface Line {
  kind: 'offers' | 'demands';
  of: string;
  line: string;
  /** Only for constraints: the lines of its columns, and its contype (pg_constraint). */
  columns: string[] | null;
  type: string | null;
}

/** Whether a constraint holds when new columns are null, as a build that does not know them leaves them. */
function isMetByNull({ columns, type }: Line, known: ReadonlySet<string>): boolean {
  if (!columns || columns.length === 0) return false;
  const isNew = (column: string) => !known.has(column);
  return type === 'c' ? columns.every(isNew) : columns.some(isNew);
}

/** Whether the same columns, or a subset, had to be unique before. */
const isUniqueAlready = ({ columns, type }: Line, before: readonly Line[]): boolean =>
  type === 'u' &&
  before.some(
    (other) =>
      (other.type === 'u' || other.type === 'p') && other.columns?.every((each) => columns?.includes(each)),
  );

/** Whether a check replaces others of the same columns. It may mean something else, which the catalogue does not tell. */
function isReplacement({ of, columns, type }: Line, removed: readonly Line[]): boolean {
  const checked = new Set(
    removed.flatMap((other) => (other.of === of && other.type === 'c' ? (other.columns ?? []) : [])),
  );
  return type === 'c' && columns !== null && columns.length > 0 && columns.every((each) => checked.has(each));
}

let database: pg.Client;
beforeAll(async () => {
  database = new pg.Client({ connectionString: await emptyDatabase(inject('postgres')) });
  await database.connect();
});
afterAll(() => database.end());

const catalogue = async () => (await database.query<Line>(CATALOGUE)).rows;

/** Returns what a statement breaks for older builds: things they use that are gone, and writes that would fail. */
async function breakingChangesOf(sql: string): Promise<string[]> {
  const before = await catalogue();
  await database.query(sql);
  const after = await catalogue();
  const afterLines = new Set(after.map(({ line }) => line));
  const known = new Set(before.map(({ line }) => line));
  const tables = new Set(before.map(({ of }) => of));
  const gone = before.filter(({ line }) => !afterLines.has(line));
  const removed = gone.filter(({ kind }) => kind === 'offers');
  const newDemands = after.filter(
    (each) =>
      each.kind === 'demands' &&
      tables.has(each.of) &&
      !known.has(each.line) &&
      !isMetByNull(each, known) &&
      !isUniqueAlready(each, before) &&
      !isReplacement(each, gone),
  );
  return [...removed.map(({ line }) => `no ${line}`), ...newDemands.map(({ line }) => line)].sort();
}

describe('the rule', () => {
  const cases: [sql: string, breaking: string[]][] = [
    [
      'drop table notes',
      ['no column notes.body of type text', 'no column notes.id of type integer', 'no table notes'],
    ],
    ['alter table notes drop column body', ['no column notes.body of type text']],
    ['alter table notes rename column body to words', ['no column notes.body of type text']],
    ['alter table notes alter column id type bigint', ['no column notes.id of type integer']],
    ['alter table notes alter column body set not null', ['a value for notes.body']],
    ['alter table notes add column author text not null', ['a value for notes.author']],
    ['alter table notes add constraint short check (length(body) < 9)', ['constraint short of notes']],
    ['create unique index one_body on notes (body)', ['unique index one_body']],
    [
      `do $$ begin execute 'alter table notes drop column body'; end $$`,
      ['no column notes.body of type text'],
    ],
    ['drop function shout(text)', ['no function shout(words text) returns text']],
    [`alter type mood rename value 'calm' to 'quiet'`, ['no value calm of mood']],
    ['alter table notes add column author text', []],
    [`alter table notes add column author text not null default ''`, []],
    ['create table more (id int primary key, note text not null)', []],
    ['alter table notes add column press uuid unique references posts', []],
    [
      'alter table notes add column other int, add check (other > 0 or id > 0)',
      ['constraint notes_check of notes'],
    ],
    [`alter table links drop constraint links_at_check, add constraint whole check (at > 0)`, []],
    [
      `alter table links drop constraint links_at_check, add constraint whole check (at > 0 and id > 0)`,
      ['constraint whole of links'],
    ],
    ['alter table posts drop constraint posts_pkey, add unique (id)', []],
    ['alter table links add unique (at)', ['constraint links_at_key of links']],
    ['create index bodies on notes (body)', []],
    [`alter type mood add value 'wild'`, []],
  ];
  it.each(cases)('%s', async (sql, breaking) => {
    await database.query(
      `create schema sample; set search_path = sample;
       create type mood as enum ('calm', 'glad');
       create table posts (id uuid primary key);
       create table notes (id int, body text);
       create table links (id int, at int check (at > 0), primary key (id, at));
       create function shout(words text) returns text language sql return upper(words)`,
    );
    try {
      expect(await breakingChangesOf(sql)).toEqual(breaking);
    } finally {
      await database.query('drop schema sample cascade; reset search_path');
    }
  });
});

describe('each migration after the rule works with earlier builds, or names the first build that it works with', () => {
  it('in the header of its file', async () => {
    const violations: string[] = [];
    for (const name of files) {
      const breaking = await breakingChangesOf(textOf(name));
      if (versionOf(name) <= LAST_BEFORE_THE_RULE || breaking.length === 0) continue;
      if (!/^-- Bearable from \d{4}\b/m.test(textOf(name)))
        violations.push(`${name}: ${breaking.join('; ')}`);
    }
    expect(
      violations,
      'take it away one release later, with "-- Bearable from NNNN" (docs/architecture.md)',
    ).toEqual([]);
  });

  it('which belongs to an earlier migration', () => {
    for (const name of files) {
      const from = /^-- Bearable from (\d{4})\b/m.exec(textOf(name))?.[1];
      if (from === undefined) continue;
      expect(files.map(versionOf), name).toContain(from);
      expect(from < versionOf(name), name).toBe(true);
    }
  });
});
