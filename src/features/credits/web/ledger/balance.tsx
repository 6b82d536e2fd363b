import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { request } from '#client/api-request.ts';
import { notifyAccountChanged } from '#client/page-events.ts';
import { useSale } from '#features/billing/web/use-sale.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type CreditsView, planLimits } from '../../contract.ts';

type Shown = CreditsView | 'loading' | 'failed';

interface BalanceProps {
  first: CreditsView | null;
  /** null: unlimited. */
  chatsLeftToday: number | null;
}

function useCredits(first: CreditsView | null) {
  const [seen, setSeen] = useState(first);
  const [shown, setShown] = useState<Shown>(first ?? 'loading');
  if (seen !== first) {
    setSeen(first);
    if (first) setShown(first);
  }
  const load = useCallback((signal?: AbortSignal) => {
    request<CreditsView>('/api/credits', { signal }).then(
      (credits) => {
        setShown(credits);
        notifyAccountChanged({ credits: credits.currentCredits, plan: credits.plan });
      },
      () => {
        if (!signal?.aborted) setShown('failed');
      },
    );
  }, []);
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal);
    const onVisible = () => {
      if (document.visibilityState === 'visible') load(controller.signal);
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      controller.abort();
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [load]);
  const retry = () => {
    setShown('loading');
    load();
  };
  return { shown, retry };
}

export function Balance({ first, chatsLeftToday }: BalanceProps) {
  const { shown, retry } = useCredits(first);
  return (
    <section className="grid gap-1 content-start" aria-labelledby="balance-title">
      <h2 className="eyebrow" id="balance-title">
        {m.credits_title()}
      </h2>
      {shown === 'loading' ? (
        <p className="skeleton w-48 max-w-full h-18">
          <span className="visually-hidden">{m.balance_loading()}</span>
        </p>
      ) : null}
      {shown === 'failed' ? (
        <div className="grid gap-2 justify-items-start">
          <Notice kind="danger">{m.balance_failed()}</Notice>
          <Button onClick={retry}>{m.common_retry()}</Button>
        </div>
      ) : null}
      {typeof shown === 'object' ? <KnownBalance credits={shown} chatsLeftToday={chatsLeftToday} /> : null}
    </section>
  );
}

function KnownBalance({
  credits: { currentCredits, plan },
  chatsLeftToday: left,
}: { credits: CreditsView } & Pick<BalanceProps, 'chatsLeftToday'>) {
  const unlimited = planLimits[plan].unlimited;
  const { packs } = useSale();
  const figure = (content: ReactNode) => (
    <strong className="text-3xl font-[650] tracking-tighter tabular-nums text-fg">{content}</strong>
  );
  return (
    <>
      <p className="balance-figure text-md text-fg-muted">
        {unlimited
          ? figure(m.common_unlimited())
          : m.balance_left({ count: currentCredits, n: () => figure(currentCredits) })}
      </p>
      <p className="muted text-sm">
        {unlimited
          ? m.balance_kept({ count: currentCredits })
          : left === null
            ? m.balance_once()
            : m.balance_chats({ count: left })}
      </p>
      {!unlimited && packs.length > 0 ? (
        <Button className="mt-2 justify-self-start" href="/pricing#packs">
          {m.packs_purchase()}
        </Button>
      ) : null}
    </>
  );
}
