/** A line break stands in it as `\n`. */
export interface RichRun {
  text: string;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  /** http, https or mailto. */
  link?: string;
}

type Align = 'left' | 'center' | 'right';

export type RichBlock =
  | { kind: 'heading'; level: number; runs: RichRun[] }
  | { kind: 'paragraph'; runs: RichRun[] }
  | { kind: 'list'; ordered: boolean; start: number; items: RichBlock[][] }
  | { kind: 'quote'; blocks: RichBlock[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: RichRun[][][]; align?: (Align | null)[] }
  | { kind: 'rule' };

/** The first row of a table is its head. */
export type RichText = RichBlock[];
