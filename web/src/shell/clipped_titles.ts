// Shows the full text of an element that cuts it off, while the pointer is over it.

const given = new WeakMap<Element, string>();

/** Gives an element that ends in "…" its text as a title when the pointer comes to it, until its text fits. Other titles stay. */
export function nameClippedTexts() {
  addEventListener('pointerover', ({ target }) => {
    for (let element = target as Element | null; element instanceof HTMLElement; element = element.parentElement) {
      if (element.title && element.title !== given.get(element)) return;
      const cutOff = element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === 'ellipsis';
      if (cutOff) {
        element.title = element.innerText; // anew each time: its text may have changed
        given.set(element, element.title);
        return;
      }
      if (element.title) element.removeAttribute('title');
    }
  });
}
