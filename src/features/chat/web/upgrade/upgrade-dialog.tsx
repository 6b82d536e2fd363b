import type { DialogProps } from '../dialogs.tsx';

/** What Pro is, when a limit is met or near. */
export default function UpgradeDialog(_props: DialogProps) {
  return null;
}
