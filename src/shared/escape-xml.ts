const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Removes characters that XML 1.0 does not allow. */
export const xmlCharacters = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');

/** For element content, or an attribute in double quotes. */
export const escapeXml = (text: string): string =>
  xmlCharacters(text).replace(/[&<>"]/g, (character) => entities[character] ?? '');
