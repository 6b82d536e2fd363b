import { shortcutsOn } from '../shortcuts/setting.ts';

const text = () =>
  shortcutsOn()
    ? 'The reply is still running. Esc stops it; your text stays here.'
    : 'The reply is still running. Your text stays here.';

/** Says why Enter did not send, to screen readers too. */
export function BusyLine({ shown }: { shown: boolean }) {
  return (
    <p className="composer-busy" role="status">
      {shown ? text() : null}
    </p>
  );
}
