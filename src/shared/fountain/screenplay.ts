export interface TitleEntry {
  key: string;
  values: string[];
}

export interface Speech {
  type: 'dialogue' | 'parenthetical' | 'lyrics';
  text: string;
}

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

/** Position in the source in UTF-16 units; `to` is after the last line. */
export interface PlacedBlock {
  block: Block;
  from: number;
  to: number;
}

export interface Screenplay {
  title: TitleEntry[];
  blocks: Block[];
}
