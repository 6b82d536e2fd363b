import { m } from '#messages';
import type { ExportFile } from '#platform/data-export.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { utcTime } from '#shared/format-date.ts';
import { setting } from '#shared/settings.ts';
import { features } from '../features.ts';
import { exportJson, exportJsonSchema } from './export-json.server.ts';

function readme(exportedAt: Date): string {
  const contents: [name: string, description: string][] = [
    ['export.json', m.export_json()],
    ['schema.json', m.export_schema()],
    ['chats/', m.export_chats()],
    ['works/', m.export_works()],
    ['documents/', m.export_documents()],
    ['images/', m.export_images()],
    ['ledger.csv', m.export_ledger()],
    ['files/', m.export_files()],
  ];
  const lines = contents.map(([name, description]) => `${name.padEnd(14)}${description}`);
  return `${[m.export_title({ brand: setting('brand.name'), when: utcTime(exportedAt) }), ...lines, m.export_no_secrets()].join('\n\n')}\n`;
}

export async function* archiveFiles(actor: UserActor): AsyncGenerator<ExportFile> {
  const exportedAt = new Date();
  yield { name: 'README.txt', content: readme(exportedAt) };
  yield { name: 'schema.json', content: exportJsonSchema() };
  yield { name: 'export.json', content: exportJson(actor, exportedAt) };
  for (const { exportEntries } of features) if (exportEntries?.files) yield* exportEntries.files(actor);
}
