/** Pixels between a button and its menu, and at least to the edge of the screen. */
const gap = 4;

export function placeMenu(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + gap + height <= innerHeight - gap;
  menu.style.top = `${below ? at.bottom + gap : Math.max(gap, at.top - gap - height)}px`;
  menu.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - gap - width))}px`;
}
