import { useCallback, useEffect, useState } from 'react';
import { tellMe } from '../../../../client/page-events.ts';
import { type CreditsView, planLimits } from '../../contract.ts';
import { fetchCredits } from './api.ts';
import './balance.css';

type Shown = CreditsView | 'loading' | 'failed';

interface BalanceProps {
  /** As the page was loaded; null when that failed. */
  first: CreditsView | null;
  /** null: unlimited. */
  chatsLeftToday: number | null;
}

/** The balance, asked for anew when the page opens and when one comes back to it. */
function useCredits(first: CreditsView | null) {
  const [seen, setSeen] = useState(first);
  const [shown, setShown] = useState<Shown>(first ?? 'loading');
  if (seen !== first) {
    setSeen(first);
    if (first) setShown(first);
  }
  const load = useCallback((signal?: AbortSignal) => {
    fetchCredits(signal).then(
      (credits) => {
        setShown(credits);
        tellMe({ credits: credits.currentCredits, plan: credits.plan });
      },
      () => {
        if (!signal?.aborted) setShown('failed');
      },
    );
  }, []);
  useEffect(() => {
    const asking = new AbortController();
    load(asking.signal);
    const back = () => {
      if (document.visibilityState === 'visible') load(asking.signal);
    };
    document.addEventListener('visibilitychange', back);
    return () => {
      asking.abort();
      document.removeEventListener('visibilitychange', back);
    };
  }, [load]);
  const retry = () => {
    setShown('loading');
    load();
  };
  return { shown, retry };
}

/** What is left, large; the plan that it belongs to decides what it means. */
export function Balance({ first, chatsLeftToday }: BalanceProps) {
  const { shown, retry } = useCredits(first);
  return (
    <section className="balance" aria-labelledby="balance-title">
      <h2 className="eyebrow" id="balance-title">
        Credits
      </h2>
      {shown === 'loading' ? (
        <p className="skeleton balance-skeleton">
          <span className="visually-hidden">Loading your credits</span>
        </p>
      ) : null}
      {shown === 'failed' ? (
        <div className="balance-failed">
          <p className="notice notice-danger" role="alert">
            Failed to load credits
          </p>
          <button type="button" className="btn btn-secondary" onClick={retry}>
            Retry
          </button>
        </div>
      ) : null}
      {typeof shown === 'object' ? <Known credits={shown} chatsLeftToday={chatsLeftToday} /> : null}
    </section>
  );
}

function Known({
  credits: { currentCredits, plan },
  chatsLeftToday: left,
}: { credits: CreditsView } & Pick<BalanceProps, 'chatsLeftToday'>) {
  const unlimited = planLimits[plan].unlimited;
  return (
    <>
      <p className="balance-figure">
        {unlimited ? 'Unlimited' : currentCredits}
        {unlimited ? null : (
          <span className="balance-unit">{currentCredits === 1 ? 'credit left' : 'credits left'}</span>
        )}
      </p>
      <p className="muted text-sm">
        {unlimited
          ? `Pro takes no credits. ${currentCredits} of the free plan are kept.`
          : left === null
            ? 'Free credits are given once and do not renew.'
            : `${left} new ${left === 1 ? 'conversation' : 'conversations'} left today.`}
      </p>
    </>
  );
}
