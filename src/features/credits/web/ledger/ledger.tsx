import { useId } from 'react';
import { LocalTime } from '../../../../ui/local-time.tsx';
import { featureTable } from '../../contract.ts';
import {
  countedFeatures,
  type EntryGroup,
  entryGroups,
  entryNames,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerPage,
} from '../../ledger/contract.ts';
import { queryOf } from './api.ts';
import './ledger.css';
import { useLedger } from './use-ledger.ts';

const groupNames: Record<EntryGroup, string> = {
  used: 'Used',
  refunded: 'Refunded',
  granted: 'Granted',
  plan: 'Plan',
};

const signed = (delta: number) => (delta > 0 ? `+${delta}` : `${delta}`.replace('-', '−'));

/** What an entry is about: the thing that was made, while it is there, else the reason. */
function About({ entry: { item, reason, feature } }: { entry: LedgerEntry }) {
  if (item)
    return (
      <a className="link ledger-item" href={item.path} dir="auto">
        {item.title}
      </a>
    );
  if (feature) return <span className="muted">Deleted</span>;
  return <span className="ledger-item">{reason}</span>;
}

function Row({ entry }: { entry: LedgerEntry }) {
  const { createdAt, entry: name, feature, failed, delta, balance } = entry;
  return (
    <tr>
      <td className="ledger-when">
        <LocalTime iso={createdAt} />
      </td>
      <td className="ledger-kind">
        <span className={name === 'pending' ? 'mark' : undefined}>{entryNames[name]}</span>
        {failed && name === 'included' ? <span className="fine">, failed</span> : null}
      </td>
      <td className="ledger-tool">{feature ? featureTable[feature].name : ''}</td>
      <td className="ledger-about">
        <About entry={entry} />
        <span className="fine ledger-small">
          {entryNames[name]}
          {feature ? `, ${featureTable[feature].name}` : ''}, <LocalTime iso={createdAt} />
        </span>
      </td>
      <td className="figure ledger-change">{signed(delta)}</td>
      <td className="figure ledger-balance">{balance}</td>
    </tr>
  );
}

interface FilterProps {
  filter: LedgerFilter;
  onChoose: (changed: Partial<LedgerFilter>) => void;
}

function Filters({ filter: { entry, tool }, onChoose }: FilterProps) {
  const id = useId();
  return (
    <div className="ledger-filters">
      <div className="field">
        <label className="label" htmlFor={`${id}-entry`}>
          Entries
        </label>
        <select
          id={`${id}-entry`}
          className="select"
          value={entry ?? ''}
          onChange={(event) => onChoose({ entry: (event.target.value || null) as LedgerFilter['entry'] })}
        >
          <option value="">All entries</option>
          {(Object.keys(entryGroups) as EntryGroup[]).map((group) => (
            <option key={group} value={group}>
              {groupNames[group]}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label className="label" htmlFor={`${id}-tool`}>
          Tool
        </label>
        <select
          id={`${id}-tool`}
          className="select"
          value={tool ?? ''}
          onChange={(event) => onChoose({ tool: (event.target.value || null) as LedgerFilter['tool'] })}
        >
          <option value="">All tools</option>
          {countedFeatures
            .filter((feature) => feature !== 'question')
            .map((feature) => (
              <option key={feature} value={feature}>
                {featureTable[feature].name}
              </option>
            ))}
        </select>
      </div>
    </div>
  );
}

function Table({ entries, busy }: { entries: LedgerEntry[]; busy: boolean }) {
  return (
    <table className="figures ledger" aria-busy={busy}>
      <caption className="visually-hidden">Ledger of credits, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="ledger-when">
            Date
          </th>
          <th scope="col" className="ledger-kind">
            Entry
          </th>
          <th scope="col" className="ledger-tool">
            Tool
          </th>
          <th scope="col">For</th>
          <th scope="col" className="figure">
            Change
          </th>
          <th scope="col" className="figure">
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

/** Every change of the balance, newest first, with filters, older pages and a download of what is shown. */
export function Ledger({ first }: { first: LedgerPage | null }) {
  const { filter, page, busy, error, said, choose, more, retry } = useLedger(first);
  const none = page?.entries.length === 0;
  return (
    <>
      <div className="ledger-head">
        <Filters filter={filter} onChoose={choose} />
        <a className="btn btn-secondary" href={`/api/me/ledger.csv${queryOf(filter)}`} download>
          Download CSV
        </a>
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {error ? (
        <div className="row">
          <p className="notice notice-danger" role="alert">
            {error}
          </p>
          <button type="button" className="btn btn-secondary" onClick={retry}>
            Retry
          </button>
        </div>
      ) : null}
      {page && !none ? <Table entries={page.entries} busy={busy === 'filter'} /> : null}
      {none && !error ? <p className="muted">No entries of this kind.</p> : null}
      {page?.next ? (
        <button
          type="button"
          className="btn btn-secondary justify-self-start"
          aria-busy={busy === 'more'}
          onClick={more}
        >
          Show older entries
        </button>
      ) : null}
    </>
  );
}
