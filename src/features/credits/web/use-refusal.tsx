import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { notifySignedOut, openSignIn, toast } from '#client/page-events.ts';
import { ConnectionError, ProblemError } from '#client/problem-error.ts';
import type { Me } from '#features/accounts/contract.ts';
import { useSale } from '#features/billing/web/use-sale.ts';
import { m } from '#messages';
import { type Feature, featureTable, formatCredits, planLimits, proPromise } from '../contract.ts';
import type { UpgradeReason } from './upgrade-dialog.tsx';

const UpgradeDialog = lazy(() => import('./upgrade-dialog.tsx'));

export interface Refusal {
  text: string;
  /** A code of the API, or `offline`. */
  code: string;
}

interface RefusalControls {
  refusal: Refusal | null;
  refuse(error: unknown): void;
  clear(): void;
  upgrade(): void;
  /** Offers packs besides Pro, if any are on sale. */
  purchase(): void;
  /** Render it at the end of the page. */
  dialog: ReactNode;
}

const notUnlimited = (me: Me | null) => me !== null && !planLimits[me.plan].unlimited;

function reasonOf(code: string, feature: Feature, me: Me | null, price: number): UpgradeReason {
  const { name, free } = featureTable[feature];
  const facts: UpgradeReason['facts'] = me ? [[m.upgrade_balance(), formatCredits(me.credits)]] : [];
  if (free) facts.push([name, formatCredits(price)]);
  if (code === 'credits_exhausted')
    return {
      title: me && me.credits > 0 ? m.upgrade_insufficient() : m.upgrade_used_up(),
      text: m.upgrade_kept(),
      facts: [...facts, [m.upgrade_free_credits(), m.upgrade_once()]],
      credits: true,
    };
  if (code === 'plan_required')
    return { title: m.upgrade_locked({ tool: name }), text: m.upgrade_kept_only(), facts };
  return { title: m.upgrade_to_pro(), text: proPromise(), facts };
}

interface RefusalOptions {
  feature: Feature;
  price: number;
  fallback: string;
  /** The page shows every refusal next to its form, so no toast repeats it. */
  silent?: boolean;
}

export function useRefusal(
  me: Me | null,
  { feature, price, fallback, silent = false }: RefusalOptions,
): RefusalControls {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [reason, setReason] = useState<(UpgradeReason & { id: number }) | null>(null);
  const dialogId = useRef(0);
  const openDialog = useCallback((next: UpgradeReason) => setReason({ ...next, id: ++dialogId.current }), []);
  const latest = useRef({ me, price });
  latest.current = { me, price };

  const refuse = useCallback(
    (cause: unknown) => {
      // fetch throws a TypeError if the server cannot be reached.
      const error = cause instanceof TypeError ? new ConnectionError(cause) : cause;
      const { me: person, price: cost } = latest.current;
      const known = error instanceof ProblemError ? error.body : null;
      const code = known?.code ?? (error instanceof ConnectionError ? 'offline' : 'internal');
      const message = known || error instanceof ConnectionError ? (error as Error).message : '';
      const id = code === 'internal' && known?.requestId;
      const text = id ? m.credits_reference({ text: message || fallback, id }) : message || fallback;
      setRefusal({ text, code });
      if (code === 'unauthorized') {
        if (person) notifySignedOut();
        openSignIn({ reason: person ? m.credits_signed_out() : undefined });
      } else if ((code === 'credits_exhausted' || code === 'plan_required') && notUnlimited(person)) {
        openDialog(reasonOf(code, feature, person, cost));
      } else if (!silent) toast({ title: m.common_error(), text, kind: 'danger' });
    },
    [feature, fallback, silent, openDialog],
  );
  const clear = useCallback(() => setRefusal(null), []);
  const offer = useCallback(
    (code: string) => {
      const { me: person, price: cost } = latest.current;
      if (!person) openSignIn();
      else openDialog(reasonOf(code, feature, person, cost));
    },
    [feature, openDialog],
  );
  const upgrade = useCallback(() => offer('asked'), [offer]);
  const hasPacks = useSale().packs.length > 0;
  const purchase = useCallback(() => offer(hasPacks ? 'credits_exhausted' : 'asked'), [offer, hasPacks]);
  const dialog = reason ? (
    <Suspense fallback={null}>
      {/* A dialog that opens while the last one closes needs a new key: that one's close event comes later. */}
      <UpgradeDialog
        key={reason.id}
        reason={reason}
        onClose={() => setReason((now) => (now === reason ? null : now))}
      />
    </Suspense>
  ) : null;
  return { refusal, refuse, clear, upgrade, purchase, dialog };
}
