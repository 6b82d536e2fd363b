import { m } from '#messages';
import { unstyledText } from '#shared/fountain/inline-styles.ts';
import type { PlacedBlock } from '#shared/fountain/screenplay.ts';
import { sceneId } from '#ui/screenplay-view.tsx';

/** Moves the focus too, so that keyboard users continue from there. */
function jump(id: string): void {
  const heading = document.getElementById(id);
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ behavior: reducedMotion ? 'auto' : 'smooth', block: 'start' });
}

export function SceneList({ placed, name }: { placed: PlacedBlock[]; name: string }) {
  const scenes = placed.flatMap(({ block }) => (block.type === 'scene' ? [unstyledText(block.text)] : []));
  if (scenes.length === 0) return null;
  return (
    <nav
      className="border-y border-line @min-[46rem]/sheet:sticky @min-[46rem]/sheet:top-[calc(var(--header-h)+var(--s-4))] @min-[46rem]/sheet:self-start @min-[46rem]/sheet:border-b-0"
      aria-label={m.script_scenes()}
    >
      <ol className="max-h-48 overflow-y-auto py-1 @min-[46rem]/sheet:max-h-[calc(100dvh-var(--header-h)-var(--s-12))]">
        {scenes.map((heading, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: scenes have no identity but their position
          <li key={at}>
            <button
              type="button"
              className="flex w-full cursor-pointer gap-3 py-1.5 text-start text-xs wrap-anywhere text-fg-muted hover:text-fg pointer-coarse:min-h-11 pointer-coarse:items-center"
              onClick={() => jump(sceneId(name, at))}
            >
              <span className="w-5 flex-none text-fg-subtle tabular-nums" aria-hidden="true">
                {at + 1}
              </span>
              <span dir="auto">{heading}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
