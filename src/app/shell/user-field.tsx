import { EnhancedSlot } from './enhanced-slot.tsx';

/** Filled by the enhancement module from /api/me. */
export function UserField({
  field,
  className,
}: {
  field: 'name' | 'email' | 'credits' | 'initial';
  className?: string;
}) {
  return <EnhancedSlot data-me={field} className={className} />;
}
