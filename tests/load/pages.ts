import http from 'node:http';
import { round } from './process.ts';

/** Returns requests per second of one page over 50 keep-alive connections. */
export async function pagesPerSecond(url: string, headers: Record<string, string>, seconds = 4) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });
  let done = 0;
  let wrong = 0;
  const until = performance.now() + seconds * 1000;
  const one = () =>
    new Promise<void>((resolve) => {
      http
        .get(url, { agent, headers: { 'accept-encoding': 'br', ...headers } }, (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 200) done++;
            else wrong++;
            resolve();
          });
        })
        .on('error', () => {
          wrong++;
          resolve();
        });
    });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      while (performance.now() < until) await one();
    }),
  );
  agent.destroy();
  return {
    page: new URL(url).pathname,
    'pages a second': round((done * 1000) / (performance.now() - startedAt), 0),
    errors: wrong,
  };
}
