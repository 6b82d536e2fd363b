import { m } from '#messages';
import { EnhancedSlot } from './enhanced-slot.tsx';

/** Shown until the enhancement module has filled the field, or if it does not run. */
const placeholders = { name: m.nav_account, email: () => '', credits: () => '', initial: () => '•' };

/** A field about the signed-in user, which the enhancement module fills from /api/me. */
export function UserField({ field, className }: { field: keyof typeof placeholders; className?: string }) {
  return <EnhancedSlot data-me={field} data-placeholder={placeholders[field]()} className={className} />;
}
