import mammoth from 'mammoth';

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

const stripTags = (html: string) =>
  html.replace(/<[^>]*>/g, '').replace(/&(lt|gt|quot|amp);/g, (_, name: string) => entities[name] ?? '');

/** Ends each cell with a tab; the end of a row becomes a line end. */
const cellText = (_: string, content: string) => `${content.replace(/<\/p>/g, ' ').trim()}\t`;

/** Converts mammoth's HTML, in which text is escaped and cells contain only paragraphs and lists. */
export function htmlToText(html: string): string {
  const marked = html
    .replace(/<t[dh]\b[^>]*>([\s\S]*?)<\/t[dh]>/g, cellText)
    .replace(/\t?<\/tr>/g, '\n')
    .replace(/<h([1-6])\b[^>]*>/g, (_, level: string) => `${'#'.repeat(Number(level))} `)
    .replace(/<li\b[^>]*>/g, '\n- ')
    .replace(/<br \/>/g, '\n')
    .replace(/<\/(?:p|h[1-6]|ul|ol|table)>/g, '\n\n');
  return stripTags(marked)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** @returns null for an archive that is not a Word document */
export async function readDocx(buffer: Buffer): Promise<{ text: string; images: number } | null> {
  let images = 0;
  const convertImage = mammoth.images.imgElement(async () => {
    images++;
    return { src: '' };
  });
  const html = await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false }).then(
    ({ value }) => value,
    () => null,
  );
  return html === null ? null : { text: htmlToText(html), images };
}
