import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { useRefusal } from './use-refusal.tsx';

export function RefusalNotice({
  refusing: { refusal, upgrade },
}: {
  refusing: Pick<ReturnType<typeof useRefusal>, 'refusal' | 'upgrade'>;
}) {
  if (!refusal) return null;
  return (
    <Notice as="div" kind="danger" live={false} className="row">
      <p role="alert">{refusal.text}</p>
      {refusal.code === 'credits_exhausted' ? <Button onClick={upgrade}>{m.upgrade_go_pro()}</Button> : null}
    </Notice>
  );
}
