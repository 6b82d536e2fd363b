import type { ServerResponse } from 'node:http';
import type { Holds } from '../holds.ts';
import type { LogEntry } from '../log.ts';
import type { Plan } from './settings.ts';
import type { Usage } from './stream.ts';

/** What is answered, before it is sent. */
export interface Answer {
  tokens: string[];
  text: string;
  finish: 'stop' | 'length';
  usage: Usage;
}

/** One call on its way: everything that a mode may need. */
export interface ChatCall {
  res: ServerResponse;
  entry: LogEntry;
  id: string;
  model: string;
  plan: Plan;
  answer: Answer;
  /** Last user message as it came. */
  userText: string;
  holds: Holds;
}
