import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { usePurchaseLabel } from './purchase-label.ts';
import type { useRefusal } from './use-refusal.tsx';

export function RefusalNotice({
  refusing: { refusal, purchase },
}: {
  refusing: Pick<ReturnType<typeof useRefusal>, 'refusal' | 'purchase'>;
}) {
  const label = usePurchaseLabel();
  if (!refusal) return null;
  return (
    <Notice as="div" kind="danger" live={false} className="row">
      <p role="alert">{refusal.text}</p>
      {refusal.code === 'credits_exhausted' ? <Button onClick={purchase}>{label}</Button> : null}
    </Notice>
  );
}
