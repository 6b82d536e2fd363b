import http from 'node:http';
import { round } from './process.ts';

/** Returns requests per second of one page over 50 keep-alive connections. */
export async function pagesPerSecond(url: string, headers: Record<string, string>, seconds = 4) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });
  let done = 0;
  let failed = 0;
  const endAt = performance.now() + seconds * 1000;
  const requestOnce = () =>
    new Promise<void>((resolve) => {
      http
        .get(url, { agent, headers: { 'accept-encoding': 'br', ...headers } }, (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 200) done++;
            else failed++;
            resolve();
          });
        })
        .on('error', () => {
          failed++;
          resolve();
        });
    });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      while (performance.now() < endAt) await requestOnce();
    }),
  );
  agent.destroy();
  return {
    page: new URL(url).pathname,
    'pages a second': round((done * 1000) / (performance.now() - startedAt), 0),
    errors: failed,
  };
}
