import { useEffect, useRef } from 'react';
import { paintThumbnail, pdfOf } from './library.ts';

/** The first page of a document of the person. */
export default function Thumbnail({ id }: { id: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    pdfOf(id)
      .then((pdf) => canvas.current && paintThumbnail(pdf, canvas.current))
      .catch(() => undefined);
  }, [id]);
  return <canvas ref={canvas} className="pdf-thumb" />;
}
