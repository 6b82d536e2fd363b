import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What `npm run model` leaves in DATA_DIR/model/model.json, for the start. */
export const localModelSchema = z.object({
  /** As /v1/models lists it. */
  id: z.string().min(1),
  /** For the operator. */
  name: z.string().min(1),
  licence: z.string(),
  /** Absolute path of the GGUF file. */
  file: z.string().min(1),
  contextTokens: z.int().min(1000),
  port: z.int().min(1).max(65_535),
});

export type LocalModel = z.infer<typeof localModelSchema>;

/** Everything that `npm run model` brings. */
export const modelFolder = (dataDir: string): string => join(dataDir, 'model');

/** Null without one, and where its weights or its runtime are gone. */
export function readLocalModel(dataDir: string): LocalModel | null {
  const folder = modelFolder(dataDir);
  try {
    const model = localModelSchema.parse(JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')));
    return existsSync(model.file) && existsSync(join(folder, 'runtime', 'node_modules')) ? model : null;
  } catch {
    return null;
  }
}
