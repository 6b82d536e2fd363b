import type { DialogProps } from '../dialogs.tsx';

/** Finds chats and messages. */
export default function SearchDialog(_props: DialogProps) {
  return null;
}
