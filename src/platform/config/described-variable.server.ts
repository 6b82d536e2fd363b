import type { z } from 'zod';

export interface VariableInfo {
  group:
    | 'Server'
    | 'Database'
    | 'Storage'
    | 'Models'
    | 'Limits'
    | 'Payments'
    | 'Mail'
    | 'Notifications'
    | 'Sign-in'
    | 'Traces';
  about: string;
  example?: string;
  secret?: boolean;
  /** Shown on pages; no other variable reaches a browser. */
  public?: boolean;
}

const variableInfos = new Map<z.ZodType, VariableInfo>();
export function variable<T extends z.ZodType>(schema: T, details: VariableInfo): T {
  variableInfos.set(schema, details);
  return schema;
}

export const infoOf = (schema: z.ZodType): VariableInfo | undefined => variableInfos.get(schema);
