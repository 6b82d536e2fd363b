import { m } from '#messages';
import { describePages } from './contract.ts';

export interface DocumentNote {
  kind: 'unread' | 'empty' | 'broken' | 'hidden' | 'scanned';
  pages: number[];
}

const texts = {
  unread: m.pdfs_note_unread,
  empty: m.pdfs_note_empty,
  broken: m.pdfs_note_broken,
  hidden: m.pdfs_note_hidden,
  scanned: m.pdfs_note_scanned,
};

export const storedNotes = (notes: DocumentNote[]): string | null =>
  notes.length > 0 ? JSON.stringify(notes) : null;

/** Documents from before there were codes have sentences. */
export function describeNotes(stored: string | null): string | null {
  if (!stored?.startsWith('[')) return stored;
  const notes = JSON.parse(stored) as DocumentNote[];
  return notes.map(({ kind, pages }) => texts[kind]({ pages: describePages(pages) })).join(' ');
}
