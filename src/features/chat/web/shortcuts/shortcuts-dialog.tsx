import type { DialogProps } from '../dialogs.tsx';

/** The keys of the page, and the switch that turns them off. */
export default function ShortcutsDialog(_props: DialogProps) {
  return null;
}
