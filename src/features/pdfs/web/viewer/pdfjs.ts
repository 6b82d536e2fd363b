import {
  GlobalWorkerOptions,
  getDocument,
  PasswordException,
  PasswordResponses,
  type PDFDocumentProxy,
  TextLayer,
} from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { rememberedPassword } from './document-passwords.ts';

export type { PDFDocumentProxy } from 'pdfjs-dist';
export { TextLayer };

export function passwordState(error: unknown): 'needed' | 'wrong' | null {
  if (!(error instanceof PasswordException)) return null;
  return error.code === PasswordResponses.INCORRECT_PASSWORD ? 'wrong' : 'needed';
}

GlobalWorkerOptions.workerSrc = workerUrl;

export function openPdf(bytes: ArrayBuffer, password?: string): Promise<PDFDocumentProxy> {
  return getDocument({
    data: new Uint8Array(bytes),
    password,
    enableXfa: false,
    // Our Content-Security-Policy forbids WebAssembly.
    useWasm: false,
    verbosity: 0,
  }).promise;
}

let cached: { id: string; password: string | undefined; pdf: Promise<PDFDocumentProxy> } | null = null;

async function fetchPdf(id: string, password: string | undefined): Promise<PDFDocumentProxy> {
  const response = await fetch(`/api/documents/${id}/file`);
  if (!response.ok) throw new Error(`The file answered ${response.status}.`);
  return openPdf(await response.arrayBuffer(), password);
}

/** Caches the last document, because several components of a page show it. */
export function loadPdf(id: string): Promise<PDFDocumentProxy> {
  const password = rememberedPassword(id);
  if (cached?.id === id && cached.password === password) return cached.pdf;
  const previous = cached?.pdf;
  const pdf = fetchPdf(id, password);
  cached = { id, password, pdf };
  pdf.catch(() => {
    if (cached?.pdf === pdf) cached = null;
  });
  previous?.then(({ loadingTask }) => loadingTask.destroy()).catch(() => undefined);
  return pdf;
}

export async function paintThumbnail(pdf: PDFDocumentProxy, canvas: HTMLCanvasElement): Promise<void> {
  const page = await pdf.getPage(1);
  const { width } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: (canvas.clientWidth * devicePixelRatio) / width });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  await page.render({ canvas, viewport }).promise;
}
