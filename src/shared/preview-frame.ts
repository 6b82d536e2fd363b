/** Path of the frame that previews code from a reply. */
export const previewFramePath = '/preview-frame';

/** Sent to the frame once by the page around it; the frame does not answer. */
export interface PreviewRequest {
  kind: 'markup' | 'mermaid';
  code: string;
  /** Source code of the diagram library. */
  library?: string;
  /** Message in the reader's language if a diagram cannot be drawn. */
  problem: string;
}
