import type { Refusal } from '../../credits/web/use-refusal.tsx';

/** Kinds of a refusal that a dialog tells of. */
const inDialog = ['unauthorized', 'plan_required', 'credits_exhausted'];

/** What was refused, in words. */
export function RefusalNotice({ refusal }: { refusal: Refusal | null }) {
  if (!refusal || inDialog.includes(refusal.code)) return null;
  return (
    <p className="notice notice-danger" role="alert">
      {refusal.text}
    </p>
  );
}
