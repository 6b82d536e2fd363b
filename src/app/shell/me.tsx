import { Slot } from './slot.tsx';

/** Filled by the enhancement module from /api/me. */
export function Me({
  field,
  className,
}: {
  field: 'name' | 'email' | 'credits' | 'initial';
  className?: string;
}) {
  return <Slot data-me={field} className={className} />;
}
