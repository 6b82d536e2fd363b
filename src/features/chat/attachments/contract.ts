export const attachmentLimits = {
  /** Bytes of one file. */
  size: 10_485_760,
  types: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
  /** Tokens of a document's text that go to the model. */
  tokens: 8_000,
  /** Longest side of a stored picture, pixels. */
  side: 2048,
  /** Pages of a document that are read. */
  pages: 300,
} as const;

export const attachmentTexts = {
  tooLarge: 'File size must be less than 10MB',
  wrongType: 'Only images (JPEG, PNG, WebP) and PDF files are supported',
} as const;

/**
 * A file that was put to a message. `POST /api/files?name=` takes the bytes as the body and answers 201 with it,
 * `GET /api/files/:id` gives a picture as it is stored or the document, `DELETE` removes one that was not sent.
 */
export interface Attachment {
  id: string;
  kind: 'image' | 'pdf';
  name: string;
  bytes: number;
  /** Pixels of the stored picture; null for documents. */
  width: number | null;
  height: number | null;
  /** Pages of the document and how many of them, from the first on, go to the model; null for pictures. */
  pages: number | null;
  pagesRead: number | null;
  /** What of it could not be read or did not fit, in words for the person; null when all of it is sent. */
  note: string | null;
}

/** The message that stands for an attachment when the person writes none. */
export const requestFor = ({ kind, name }: Pick<Attachment, 'kind' | 'name'>): string =>
  kind === 'image' ? `Please analyze this image: ${name}` : `Please analyze this PDF: ${name}`;
