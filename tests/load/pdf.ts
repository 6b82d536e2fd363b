import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReader } from '#platform/document-reader/reader-process.server.ts';
import { samples } from '../support/documents.ts';
import { round } from './process.ts';

interface Figures {
  file: string;
  reader: string;
  pages: number;
  'pages a second': number | string;
  'peak MB': number | string;
}

/** Returns the peak memory of a process in MB; it is sampled, so a short process shows less. */
async function peakUntilEnd(child: ChildProcess): Promise<number> {
  let peak = 0;
  const sampler = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // The process has ended.
    }
  }, 5);
  child.stdout?.resume();
  await once(child, 'close');
  clearInterval(sampler);
  return Math.round(peak);
}

async function measure(
  start: () => ChildProcess,
  facts: Pick<Figures, 'file' | 'reader' | 'pages'>,
): Promise<Figures> {
  const startedAt = performance.now();
  const peak = await peakUntilEnd(start());
  const seconds = (performance.now() - startedAt) / 1000;
  return { ...facts, 'pages a second': round(facts.pages / seconds), 'peak MB': peak };
}

const isInstalled = () => spawnSync('pdftotext', ['-v']).error === undefined;

/** Measures reading documents, including process start: text only, with word positions, and by pdftotext. */
export async function pdfFigures(): Promise<Figures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-pdf-'));
  const rows: Figures[] = [];
  const hasPdftotext = isInstalled();
  try {
    for (const { name, bytes, pages } of await samples()) {
      if (!['plain', 'two columns', 'three hundred pages', 'ligatures'].includes(name)) continue;
      const path = join(folder, 'document.pdf');
      writeFileSync(path, bytes);
      for (const layout of [false, true]) {
        const input = openSync(path, 'r');
        const task = { pages: 300, characters: 2_000_000, layout };
        const reader = layout ? 'ours, with places' : 'ours, text';
        rows.push(await measure(() => startReader(input, task), { file: name, reader, pages }));
        closeSync(input);
      }
      const facts = { file: name, reader: 'pdftotext -bbox', pages };
      if (hasPdftotext) rows.push(await measure(() => spawn('pdftotext', ['-bbox', path, '-']), facts));
      else rows.push({ ...facts, 'pages a second': 'not installed', 'peak MB': '' });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows;
}
