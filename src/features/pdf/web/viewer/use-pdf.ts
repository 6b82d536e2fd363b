import { useEffect, useState } from 'react';
import { type PDFDocumentProxy, pdfOf } from './library.ts';

/** The document once it is there; `failed` when it cannot be shown. */
export function usePdf(id: string): { pdf: PDFDocumentProxy | null; failed: boolean } {
  const [state, setState] = useState<{ id: string; pdf: PDFDocumentProxy | null; failed: boolean }>({
    id,
    pdf: null,
    failed: false,
  });
  useEffect(() => {
    let left = false;
    const tell = (pdf: PDFDocumentProxy | null) => {
      if (!left) setState({ id, pdf, failed: pdf === null });
    };
    pdfOf(id)
      .then(tell)
      .catch(() => tell(null));
    return () => {
      left = true;
    };
  }, [id]);
  return state.id === id ? state : { pdf: null, failed: false };
}
