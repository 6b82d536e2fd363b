export function currentRelease(folder: string): string | undefined;
export function switchTo(folder: string, id: string): void;
