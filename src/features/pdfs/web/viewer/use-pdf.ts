import { useEffect, useState } from 'react';
import { rememberPassword } from './document-passwords.ts';
import { loadPdf, type PDFDocumentProxy, passwordState } from './pdfjs.ts';

interface PdfState {
  pdf: PDFDocumentProxy | null;
  failed: boolean;
  lock: 'needed' | 'wrong' | null;
}

const initial: PdfState = { pdf: null, failed: false, lock: null };

export function usePdf(id: string): PdfState & { unlock: (password: string) => void } {
  const [state, setState] = useState<PdfState & { id: string }>({ id, ...initial });
  const [attempts, setAttempts] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads the document again
  useEffect(() => {
    let cancelled = false;
    const update = (changes: Partial<PdfState>) => {
      if (!cancelled) setState({ id, ...initial, ...changes });
    };
    loadPdf(id).then(
      (pdf) => update({ pdf }),
      (error: unknown) => {
        const lock = passwordState(error);
        update({ lock, failed: lock === null });
      },
    );
    return () => {
      cancelled = true;
    };
  }, [id, attempts]);
  const unlock = (password: string) => {
    rememberPassword(id, password);
    setAttempts((count) => count + 1);
  };
  return { ...(state.id === id ? state : initial), unlock };
}
