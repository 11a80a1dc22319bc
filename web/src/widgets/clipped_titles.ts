// Shows the full text of an element that cuts it off, while the pointer is over it.

const titled = new WeakSet<Element>();

/** Gives an element that ends in "…" its text as a title when the pointer comes to it. Other titles stay. */
export function nameClippedTexts() {
  addEventListener('pointerover', ({ target }) => {
    for (let element = target as Element | null; element instanceof HTMLElement; element = element.parentElement) {
      if (element.title && !titled.has(element)) return;
      const clipped = element.scrollWidth > element.clientWidth;
      if (!clipped || getComputedStyle(element).textOverflow !== 'ellipsis') continue;
      element.title = element.innerText; // anew each time: its text may have changed
      titled.add(element);
      return;
    }
  });
}
