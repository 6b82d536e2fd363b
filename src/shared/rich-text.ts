export interface RichRun {
  text: string;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
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

export type RichText = RichBlock[];
