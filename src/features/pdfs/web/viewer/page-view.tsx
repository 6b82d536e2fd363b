import { useEffect, useRef, useState } from 'react';
import type { PageBox } from '../../contract.ts';
import { rectsOf } from './page-search.ts';
import { type PDFDocumentProxy, TextLayer } from './pdfjs.ts';

interface PageViewProps {
  pdf: PDFDocumentProxy;
  page: number;
  /** CSS pixels per page unit; null fits the width. */
  zoom: number | null;
  boxWidth: number;
  marks: PageBox[];
  query: string;
  showCount: number;
  onScale: (scale: number) => void;
}

interface RenderedPage {
  page: number;
  scale: number;
  width: number;
  height: number;
}

/** Unlike `scrollIntoView`, scrolls only the sheet and none of its ancestors. */
function bringIntoView(mark: Element): void {
  const sheet = mark.closest('.pdf-sheet');
  if (!sheet) return;
  const [markRect, sheetRect] = [mark.getBoundingClientRect(), sheet.getBoundingClientRect()];
  sheet.scrollTop += markRect.top - sheetRect.top - (sheet.clientHeight - markRect.height) / 2;
  if (markRect.left < sheetRect.left || markRect.right > sheetRect.right)
    sheet.scrollLeft += markRect.left - sheetRect.left - (sheet.clientWidth - markRect.width) / 2;
}

export function PageView({ pdf, page, zoom, boxWidth, marks, query, showCount, onScale }: PageViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<RenderedPage | null>(null);
  const [hits, setHits] = useState<DOMRect[][]>([]);
  const scaleListener = useRef(onScale);
  scaleListener.current = onScale;

  useEffect(() => {
    let cancel: () => void = () => undefined;
    let cancelled = false;
    const paint = async () => {
      const proxy = await pdf.getPage(page);
      if (cancelled || !canvas.current || !layer.current) return;
      const unscaled = proxy.getViewport({ scale: 1 });
      const scale = zoom ?? Math.max(0.1, boxWidth / unscaled.width);
      const viewport = proxy.getViewport({ scale });
      // Some browsers refuse a canvas with more pixels.
      const density = Math.min(devicePixelRatio, Math.sqrt(16e6 / (viewport.width * viewport.height)));
      const picture = document.createElement('canvas');
      picture.width = Math.floor(viewport.width * density);
      picture.height = Math.floor(viewport.height * density);
      const task = proxy.render({ canvas: picture, viewport: proxy.getViewport({ scale: scale * density }) });
      cancel = () => task.cancel();
      await task.promise;
      const text = document.createElement('div');
      text.style.setProperty('--total-scale-factor', String(scale));
      const textLayer = new TextLayer({
        textContentSource: proxy.streamTextContent(),
        container: text,
        viewport,
      });
      cancel = () => textLayer.cancel();
      await textLayer.render();
      if (cancelled || !canvas.current || !layer.current) return;
      canvas.current.width = picture.width;
      canvas.current.height = picture.height;
      canvas.current.getContext('2d')?.drawImage(picture, 0, 0);
      layer.current.style.setProperty('--total-scale-factor', String(scale));
      layer.current.replaceChildren(...text.childNodes);
      setShown({ page, scale, width: viewport.width, height: viewport.height });
      scaleListener.current(scale);
    };
    // A cancelled render rejects.
    paint().catch(() => undefined);
    return () => {
      cancelled = true;
      cancel();
    };
  }, [pdf, page, zoom, boxWidth]);

  useEffect(() => {
    setHits(shown && layer.current ? rectsOf(layer.current, query) : []);
  }, [shown, query]);

  const ready = shown?.page === page;
  useEffect(() => {
    if (!ready || showCount < 0) return;
    const mark = box.current?.querySelector('.pdf-mark');
    if (mark) bringIntoView(mark);
  }, [ready, showCount]);

  const found = hits.length > 0 ? `${page} ${query}` : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page and query
  useEffect(() => {
    const hit = ready ? box.current?.querySelector('.pdf-hit') : null;
    if (hit) bringIntoView(hit);
  }, [ready, found]);

  const style = shown ? { width: `${shown.width}px`, height: `${shown.height}px` } : undefined;
  const scale = shown?.scale ?? 1;
  return (
    <div ref={box} className="pdf-page-view" style={style} data-page={shown?.page} aria-busy={!ready}>
      <canvas ref={canvas} />
      <div ref={layer} className="pdf-text-layer" />
      {ready
        ? marks.map(([x, y, width, height]) => (
            <span
              key={`${x} ${y} ${width}`}
              className="pdf-mark"
              style={{ left: x * scale, top: y * scale, width: width * scale, height: height * scale }}
            />
          ))
        : null}
      {ready
        ? hits
            .flat()
            .map(({ x, y, width, height }) => (
              <span
                key={`${x} ${y} ${width}`}
                className="pdf-hit"
                style={{ left: x, top: y, width, height }}
              />
            ))
        : null}
    </div>
  );
}
