export interface TitleEntry {
  key: string;
  values: string[];
}

/** What a character does under one name: speech with its line breaks, a direction without its brackets, or a song. */
export interface Speech {
  type: 'dialogue' | 'parenthetical' | 'lyrics';
  text: string;
}

/** A paragraph of a screenplay. Texts keep their emphasis, notes and escapes as they are written. */
export type Block =
  | { type: 'scene'; text: string; number: string | null }
  | { type: 'action'; text: string }
  | { type: 'dialogue'; character: string; dual: boolean; speech: Speech[] }
  | { type: 'lyrics'; text: string }
  | { type: 'transition'; text: string }
  | { type: 'centered'; text: string }
  | { type: 'section'; depth: number; text: string }
  | { type: 'synopsis'; text: string }
  | { type: 'note'; text: string }
  | { type: 'page-break' };

/** A block with the place of its lines in the source (UTF-16 units; `to` is after its last line). */
export interface PlacedBlock {
  block: Block;
  from: number;
  to: number;
}

export interface Screenplay {
  title: TitleEntry[];
  blocks: Block[];
}
