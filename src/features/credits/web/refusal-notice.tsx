import type { useRefusal } from './use-refusal.tsx';

/** What was refused, in words, beside the way to Pro where credits are missing. */
export function RefusalNotice({
  refusing: { refusal, upgrade },
}: {
  refusing: Pick<ReturnType<typeof useRefusal>, 'refusal' | 'upgrade'>;
}) {
  if (!refusal) return null;
  return (
    <div className="notice notice-danger row">
      <p role="alert">{refusal.text}</p>
      {refusal.code === 'credits_exhausted' ? (
        <button type="button" className="btn btn-secondary" onClick={upgrade}>
          Go Pro
        </button>
      ) : null}
    </div>
  );
}
