const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Without what XML 1.0 has no place for. */
export const xmlCharacters = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');

/** For an element, or an attribute between double quotes. */
export const escapeXml = (text: string): string =>
  xmlCharacters(text).replace(/[&<>"]/g, (character) => entities[character] ?? '');
