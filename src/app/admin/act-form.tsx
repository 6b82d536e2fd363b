import { randomUUID } from 'node:crypto';

/** A page that is shown again has another: sent twice, it acts once. */
export function PressField() {
  return <input type="hidden" name="press" value={randomUUID()} />;
}
