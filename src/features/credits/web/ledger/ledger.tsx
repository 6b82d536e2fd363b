import { useId } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { featureTable } from '../../contract.ts';
import {
  countedFeatures,
  type EntryGroup,
  entryGroups,
  entryNames,
  hiddenUnlessUsed,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerPage,
} from '../../ledger/ledger-contract.ts';
import { queryOf, useLedger } from './use-ledger.ts';

const signed = (delta: number) => (delta > 0 ? `+${delta}` : `${delta}`.replace('-', '−'));

function EntrySubject({ entry: { item, reason, feature } }: { entry: LedgerEntry }) {
  if (item)
    return (
      <a className="link line-clamp-2 wrap-anywhere" href={item.path} dir="auto">
        {item.title}
      </a>
    );
  if (feature) return <span className="muted">{m.ledger_deleted()}</span>;
  return <span className="line-clamp-2 wrap-anywhere">{reason}</span>;
}

/** Hidden on phones, which show these facts below the entry's item. */
const wideOnly = 'whitespace-nowrap text-fg-muted max-md:hidden';

function Row({ entry }: { entry: LedgerEntry }) {
  const { createdAt, entry: name, feature, failed, delta, balance } = entry;
  return (
    <tr>
      <td className={wideOnly}>
        <LocalTime iso={createdAt} />
      </td>
      <td className={wideOnly}>
        {failed && name === 'included' ? m.ledger_included_failed() : entryNames[name]()}
      </td>
      <td className={wideOnly}>{feature ? featureTable[feature].name : ''}</td>
      <td className="md:w-[45%]">
        <EntrySubject entry={entry} />
        <span className="fine md:hidden">
          {entryNames[name]()} · {feature ? `${featureTable[feature].name} · ` : ''}
          <LocalTime iso={createdAt} />
        </span>
      </td>
      <td className="figure ledger-change">{signed(delta)}</td>
      <td className="figure ledger-balance">{balance}</td>
    </tr>
  );
}

interface FilterProps {
  filter: LedgerFilter;
  entries: LedgerEntry[];
  onChoose: (changed: Partial<LedgerFilter>) => void;
}

function Filters({ filter: { entry, tool }, entries, onChoose }: FilterProps) {
  const id = useId();
  const tools = countedFeatures.filter(
    (feature) =>
      feature !== 'question' &&
      (!hiddenUnlessUsed.includes(feature) ||
        feature === tool ||
        entries.some((each) => each.feature === feature)),
  );
  return (
    <div className="flex flex-wrap gap-3 max-xs:flex-[1_1_100%] max-xs:grid max-xs:grid-cols-[1fr_1fr]">
      <Field id={`${id}-entry`} label={m.ledger_entries()}>
        {(control) => (
          <select
            {...control}
            className="select w-44 max-xs:w-full"
            value={entry ?? ''}
            onChange={(event) => onChoose({ entry: (event.target.value || null) as LedgerFilter['entry'] })}
          >
            <option value="">{m.ledger_all_entries()}</option>
            {(Object.keys(entryGroups) as EntryGroup[]).map((group) => (
              <option key={group} value={group}>
                {entryNames[group]()}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field id={`${id}-tool`} label={m.ledger_tool()}>
        {(control) => (
          <select
            {...control}
            className="select w-44 max-xs:w-full"
            value={tool ?? ''}
            onChange={(event) => onChoose({ tool: (event.target.value || null) as LedgerFilter['tool'] })}
          >
            <option value="">{m.page_all_tools()}</option>
            {tools.map((feature) => (
              <option key={feature} value={feature}>
                {featureTable[feature].name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

const columns = () => [
  { label: m.ledger_date(), className: wideOnly },
  { label: m.ledger_entry(), className: wideOnly },
  { label: m.ledger_tool(), className: wideOnly },
  { label: m.ledger_for() },
  { label: m.ledger_change(), className: 'figure' },
  { label: m.ledger_balance(), className: 'figure' },
];

export function Ledger({ first }: { first: LedgerPage | null }) {
  const { filter, page, busy, error, announcement, choose, more, retry } = useLedger(first);
  const isEmpty = page?.entries.length === 0;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-y-3 gap-x-4">
        <Filters filter={filter} entries={first?.entries ?? []} onChoose={choose} />
        <Button href={`/api/me/ledger.csv${queryOf(filter)}`} download>
          {m.ledger_csv()}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {error ? (
        <div className="row">
          <Notice kind="danger">{error}</Notice>
          <Button onClick={retry}>{m.common_retry()}</Button>
        </div>
      ) : null}
      {page && !isEmpty ? (
        <PagedTable
          className="aria-busy:text-fg-subtle"
          caption={m.ledger_caption()}
          columns={columns()}
          busy={busy === 'filter'}
          more={page.next ? { label: m.ledger_more(), busy: busy === 'more', load: more } : null}
        >
          {page.entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </PagedTable>
      ) : null}
      {isEmpty && !error ? <p className="muted">{m.ledger_none()}</p> : null}
    </>
  );
}
