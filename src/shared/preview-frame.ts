/** Page of the frame that shows code of a reply. */
export const previewFramePath = '/preview-frame';

/** What the page around the frame sends it, once; it answers nothing. */
export interface PreviewRequest {
  kind: 'markup' | 'mermaid';
  code: string;
  /** Source of the program that draws a diagram. */
  library?: string;
  /** In the reader's language, for a diagram that cannot be drawn. */
  problem: string;
}
