import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The content of DATA_DIR/model/model.json, which `npm run model` writes and the start reads. */
export const localModelSchema = z.object({
  /** As in /v1/models. */
  id: z.string().min(1),
  /** Shown to the operator. */
  name: z.string().min(1),
  licence: z.string(),
  /** Absolute path of the GGUF file. */
  file: z.string().min(1),
  contextTokens: z.int().min(1000),
  port: z.int().min(1).max(65_535),
});

export type LocalModel = z.infer<typeof localModelSchema>;

/** The folder for everything that `npm run model` installs. */
export const modelFolder = (dataDir: string): string => join(dataDir, 'model');

/** Returns null if no model is installed, or if its weights or its runtime are missing. */
export function readLocalModel(dataDir: string): LocalModel | null {
  const folder = modelFolder(dataDir);
  try {
    const model = localModelSchema.parse(JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')));
    return existsSync(model.file) && existsSync(join(folder, 'runtime', 'node_modules')) ? model : null;
  } catch {
    return null;
  }
}
