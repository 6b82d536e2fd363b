import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { chromiumPath } from '../support/chromium.ts';

const program = resolve(import.meta.dirname, 'lighthouse/node_modules/lighthouse/cli/index.js');
const pages = ['/', '/pricing', '/blog', '/blog/what-is-gpt-5', '/tools/writer', '/chat', '/ar'];

interface Report {
  categories: Record<string, { score: number | null; auditRefs: Array<{ id: string; weight: number }> }>;
  audits: Record<string, { score: number | null; numericValue?: number }>;
  /** Speed of the machine during the run: about 2,000 for a current desktop. */
  environment: { benchmarkIndex: number };
}

/** Runs Lighthouse's mobile profile once in a new browser. */
async function report(url: string): Promise<Report> {
  const { executablePath, env, args } = await chromiumPath();
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
  const path = join(folder, 'report.json');
  try {
    await promisify(execFile)(
      process.execPath,
      [
        program,
        url,
        '--quiet',
        '--output=json',
        `--output-path=${path}`,
        '--no-enable-error-reporting',
        `--chrome-flags=--headless=new ${args.join(' ')}`,
      ],
      { env: { ...process.env, ...env, CHROME_PATH: executablePath }, maxBuffer: 2 ** 26 },
    );
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Retries: on a busy machine the trace may lack its start, and Lighthouse then asks to be run again. */
async function reportWithRetries(url: string, tries = 4): Promise<Report> {
  try {
    return await report(url);
  } catch (error) {
    if (tries > 1 && /run Lighthouse again/.test(String(error))) return reportWithRetries(url, tries - 1);
    throw error;
  }
}

/** Returns for each page the run with the median performance, and the audits that lost points in any run. */
export async function lighthouseFigures(siteUrl: string, runs = 5): Promise<object[]> {
  const rows: object[] = [];
  for (const path of pages) {
    const reports: Report[] = [];
    for (let run = 0; run < runs; run++) reports.push(await reportWithRetries(siteUrl + path));
    const points = ({ categories }: Report, name: string) => Math.round((categories[name]?.score ?? 0) * 100);
    const lowest = (name: string) => Math.min(...reports.map((each) => points(each, name)));
    reports.sort((a, b) => points(a, 'performance') - points(b, 'performance'));
    const median = reports[Math.floor(runs / 2)]!;
    const time = (id: string) => Math.round(median.audits[id]?.numericValue ?? Number.NaN);
    rows.push({
      page: path,
      performance: points(median, 'performance'),
      least: lowest('performance'),
      accessibility: lowest('accessibility'),
      'best practices': lowest('best-practices'),
      SEO: lowest('seo'),
      'FCP ms': time('first-contentful-paint'),
      'LCP ms': time('largest-contentful-paint'),
      'TBT ms': time('total-blocking-time'),
      CLS: Number((median.audits['cumulative-layout-shift']?.numericValue ?? 1).toFixed(3)),
      'bytes KB': Math.round(time('total-byte-weight') / 1024),
      machine: Math.round(median.environment.benchmarkIndex),
      lost: lostPoints(reports),
    });
  }
  return rows;
}

/** Returns the audits that lost points outside performance. */
function lostPoints(reports: Report[]): string {
  const lost = reports.flatMap(({ categories, audits }) =>
    Object.entries(categories)
      .filter(([name]) => name !== 'performance')
      .flatMap(([, { auditRefs }]) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  );
  return [...new Set(lost)].join(' ');
}
