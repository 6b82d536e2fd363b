import type { Attachment } from '../contract.ts';
import type { ShownAttachment } from './attachment-store.server.ts';
import { describeLeftOut } from './left-out.server.ts';

export const attachmentView = ({ left_out, ...file }: ShownAttachment): Attachment => ({
  ...file,
  note: describeLeftOut({ left_out, note: file.note }),
});
