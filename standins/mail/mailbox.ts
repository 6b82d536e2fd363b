/** Stores each mail on disk before SMTP accepts it, and keeps the newest 500. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../http.ts';
import { makeFolder, readJsonFile, writeJsonFile } from '../json-file.ts';
import { type ParsedMail, parseMail } from './parse.ts';

const MAX_MAILS = 500;
const MAX_CHARS = 64 * 1024 * 1024;

export interface StoredMail extends ParsedMail {
  id: string;
  at: string;
  to: string[];
  envelopeFrom: string;
  size: number;
}

const FILE = /^(\d{13}-\d{6})\.json$/;

export class Mailbox {
  readonly #dir: string;
  #mails: StoredMail[] = [];
  #serial = 0;

  constructor(dir: string) {
    this.#dir = join(dir, 'mail');
    makeFolder(this.#dir);
    for (const file of readdirSync(this.#dir).sort()) {
      const mail = FILE.test(file) ? readJsonFile(join(this.#dir, file)) : undefined;
      if (isRecord(mail) && typeof mail.id === 'string' && Array.isArray(mail.to))
        this.#mails.push(mail as unknown as StoredMail);
    }
    this.#trim();
  }

  #path(id: string): string {
    return join(this.#dir, `${id}.json`);
  }

  #drop(mails: StoredMail[]): void {
    for (const { id } of mails) rmSync(this.#path(id), { force: true });
  }

  #trim(): void {
    let chars = 0;
    let retained = 0;
    for (const mail of this.#mails.toReversed()) {
      chars += mail.text.length + mail.html.length + 2000;
      if (retained === MAX_MAILS || (chars > MAX_CHARS && retained > 0)) break;
      retained += 1;
    }
    this.#drop(this.#mails.splice(0, this.#mails.length - retained));
  }

  async add(raw: Buffer, envelope: { from: string; to: string[] }): Promise<StoredMail> {
    const parsed = await parseMail(raw);
    this.#serial += 1;
    const now = Date.now();
    const mail: StoredMail = {
      id: `${now}-${String(this.#serial % 1_000_000).padStart(6, '0')}`,
      at: new Date(now).toISOString(),
      to: envelope.to,
      envelopeFrom: envelope.from,
      ...parsed,
      size: raw.length,
    };
    await writeJsonFile(this.#path(mail.id), mail);
    this.#mails.push(mail);
    this.#trim();
    return mail;
  }

  /** Returns mails, newest first. `to` is a whole address in any case; `since` is in ms and inclusive. */
  list(filter: { to?: string | null; since?: number | null } = {}): StoredMail[] {
    const to = filter.to?.toLowerCase();
    return this.#mails
      .filter((mail) => !to || mail.to.some((address) => address.toLowerCase() === to))
      .filter((mail) => filter.since == null || Date.parse(mail.at) >= filter.since)
      .toReversed();
  }

  get(id: string): StoredMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  clear(to: string | null): number {
    const deleted = new Set(this.list({ to }));
    this.#mails = this.#mails.filter((mail) => !deleted.has(mail));
    this.#drop([...deleted]);
    return deleted.size;
  }
}
