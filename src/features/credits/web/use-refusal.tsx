import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { openSignIn, tellSignedOut, toast } from '../../../client/page-events.ts';
import { ConnectionError, ProblemError } from '../../../client/problem-error.ts';
import type { Me } from '../../accounts/contract.ts';
import { type Feature, featureTable, inCredits, planLimits, proPromise } from '../contract.ts';
import type { UpgradeReason } from './upgrade-dialog.tsx';

const UpgradeDialog = lazy(() => import('./upgrade-dialog.tsx'));

/** What a refusal is told by on the page; null while there is none. */
export interface Refusal {
  text: string;
  /** Kind of the refusal: a code of the API, or `offline`. */
  code: string;
}

interface Refusing {
  refusal: Refusal | null;
  /** Tells of an error: on the page, and by the sign-in dialog, the upgrade dialog or a toast titled Error. */
  refuse(error: unknown): void;
  clear(): void;
  /** Opens the upgrade dialog, for a press on 'Go Pro' or a locked tool. */
  upgrade(): void;
  /** Belongs at the end of the page. */
  dialog: ReactNode;
}

const notUnlimited = (me: Me | null) => me !== null && !planLimits[me.plan].unlimited;

function reasonOf(code: string, feature: Feature, me: Me | null, price: number): UpgradeReason {
  const { name, free } = featureTable[feature];
  const facts: UpgradeReason['facts'] = me ? [['Your balance', inCredits(me.credits)]] : [];
  if (free) facts.push([name, inCredits(price)]);
  if (code === 'credits_exhausted')
    return {
      title: me && me.credits > 0 ? 'Insufficient Credits' : 'Your credits are used up',
      text: 'Nothing was charged. What you typed is kept.',
      facts: [...facts, ['Free credits', 'are given once and do not renew']],
    };
  if (code === 'plan_required')
    return { title: `${name} is part of Pro`, text: 'What you typed is kept.', facts };
  return { title: 'Upgrade to Pro', text: proPromise, facts };
}

interface RefusalOptions {
  feature: Feature;
  /** Credits of the press that may be refused. */
  price: number;
  /** Text for an error that says nothing itself. */
  fallback: string;
  /** The page shows every refusal beside its form, so that no toast says it again. */
  quiet?: boolean;
}

/** Turns the refusals of a tool's requests into what the page shows. Nothing that was typed is touched. */
export function useRefusal(
  me: Me | null,
  { feature, price, fallback, quiet = false }: RefusalOptions,
): Refusing {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [reason, setReason] = useState<UpgradeReason | null>(null);
  const latest = useRef({ me, price });
  latest.current = { me, price };

  const refuse = useCallback(
    (error: unknown) => {
      const { me: person, price: cost } = latest.current;
      const known = error instanceof ProblemError ? error.body : null;
      const code = known?.code ?? (error instanceof ConnectionError ? 'offline' : 'internal');
      const said = known || error instanceof ConnectionError ? (error as Error).message : '';
      const reference = code === 'internal' && known?.requestId ? ` (Reference ${known.requestId})` : '';
      const text = (said || fallback) + reference;
      setRefusal({ text, code });
      if (code === 'unauthorized') {
        if (person) tellSignedOut();
        openSignIn({ reason: person ? 'You were signed out here. What you typed is kept.' : undefined });
      } else if ((code === 'credits_exhausted' || code === 'plan_required') && notUnlimited(person)) {
        setReason(reasonOf(code, feature, person, cost));
      } else if (!quiet) toast({ title: 'Error', text, kind: 'danger' });
    },
    [feature, fallback, quiet],
  );
  const clear = useCallback(() => setRefusal(null), []);
  const upgrade = useCallback(() => {
    const { me: person, price: cost } = latest.current;
    if (!person) openSignIn();
    else setReason(reasonOf('asked', feature, person, cost));
  }, [feature]);
  const dialog = reason ? (
    <Suspense fallback={null}>
      <UpgradeDialog reason={reason} onClose={() => setReason(null)} />
    </Suspense>
  ) : null;
  return { refusal, refuse, clear, upgrade, dialog };
}
