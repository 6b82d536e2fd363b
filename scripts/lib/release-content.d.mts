export function gatherRelease(folder: string, system: string): Promise<{ id: string; bytes: number }>;
