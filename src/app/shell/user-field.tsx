import { EnhancedSlot } from './enhanced-slot.tsx';

/** A field about the signed-in user, which the enhancement module fills from /api/me. */
export function UserField({
  field,
  className,
}: {
  field: 'name' | 'email' | 'credits' | 'initial';
  className?: string;
}) {
  return <EnhancedSlot data-me={field} className={className} />;
}
