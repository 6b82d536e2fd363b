/** Kept only in memory, until the page is closed. */
const passwords = new Map<string, string>();

export const rememberPassword = (id: string, password: string): void => void passwords.set(id, password);

export const rememberedPassword = (id: string): string | undefined => passwords.get(id);
