import { uploadProblem } from '../../../../../client/upload-problem.ts';
import { type Attachment, attachmentLimits, attachmentTexts } from '../../../attachments/contract.ts';

/** How far an upload is. */
export interface Progress {
  /** From 0 to 1. */
  share: number;
  /** All bytes are sent; the server reads the file. */
  reading: boolean;
}

const begun: Progress = { share: 0, reading: false };

/** Names whose files some systems give no type. */
const knownName = /\.(jpe?g|png|webp|pdf)$/i;

/** Why a file cannot be attached, in the specification's words; null when it can. */
export function refusalOf({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  const known: readonly string[] = attachmentLimits.types;
  if (type === '' ? !knownName.test(name) : !known.includes(type)) return attachmentTexts.wrongType;
  return size > attachmentLimits.size ? attachmentTexts.tooLarge : null;
}

/** A file on its way to the server. XMLHttpRequest, as fetch does not tell how many bytes it has sent. */
export class Upload {
  readonly file: File;
  /** Address of a picture that this page can show; of a document null. */
  readonly preview: string | null;
  private request: XMLHttpRequest | null = null;
  private progress = begun;
  private readonly listeners = new Set<() => void>();

  constructor(file: File) {
    this.file = file;
    this.preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
  }

  /** Sends it, from the beginning each time. Rejects with ProblemError or ConnectionError; never after `cancel`. */
  send(): Promise<Attachment> {
    const request = new XMLHttpRequest();
    this.request = request;
    this.tell(begun);
    const { size } = this.file;
    const refused = () => uploadProblem(request, { size, limit: attachmentLimits.size });
    return new Promise((resolve, reject) => {
      request.upload.onprogress = ({ loaded, total }) =>
        this.tell({ share: total > 0 ? loaded / total : 0, reading: false });
      request.upload.onload = () => this.tell({ share: 1, reading: true });
      request.onload = () => {
        if (request.status === 201) resolve(JSON.parse(request.responseText) as Attachment);
        else refused().then(reject, reject);
      };
      request.onerror = () => refused().then(reject, reject);
      request.open('POST', `/api/files?name=${encodeURIComponent(this.file.name)}`);
      request.setRequestHeader('accept', 'application/json');
      request.send(this.file);
    });
  }

  cancel(): void {
    this.request?.abort();
  }

  /** For useSyncExternalStore. */
  snapshot = (): Progress => this.progress;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  private tell(progress: Progress): void {
    this.progress = progress;
    for (const listener of this.listeners) listener();
  }
}

/** Removes a file that was not sent; one that stays after a failure is swept by the server. */
export function removeFile(id: string): void {
  fetch(`/api/files/${id}`, { method: 'DELETE' }).catch(() => undefined);
}

/** Whether the server still has a file; true where it cannot be asked. */
export async function isKept(id: string): Promise<boolean> {
  const answer = await fetch(`/api/files/${id}`, { method: 'HEAD' }).catch(() => null);
  return answer?.status !== 404;
}
