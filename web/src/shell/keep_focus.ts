// Keeps the keyboard's place: a button that goes away when it is pressed hands the focus to its nearest neighbour, else to the headline.

const NEIGHBOURS = 'button:not(:disabled), summary, a[href], select, [tabindex="0"]'; // no field: a touch keyboard would open
const HEADLINE = '.headline';

/** Starts to follow buttons that are pressed by keyboard; returns how to stop. */
export function keepFocus() {
  let pressed: Element | null = null;
  let around: Element[] = []; // its ancestors
  let neighbours: Element[] = []; // those after it in the page, then those before it
  const changes = new MutationObserver(() => {
    if (!pressed || (pressed.isConnected && !pressed.matches(':disabled'))) return;
    const focus = document.activeElement;
    if (focus === document.body || focus === pressed || focus === null) next()?.focus({ preventScroll: true });
    forget();
  });
  const next = () => {
    const headline = document.querySelector<HTMLElement>(HEADLINE);
    for (const box of around) {
      if (!box.isConnected) continue;
      if (box.contains(headline)) break; // this box is too far from the button: it also holds the headline
      const near = neighbours.find(other => box.contains(other) && other.matches(NEIGHBOURS) && isShown(other));
      if (near) return near as HTMLElement;
    }
    return headline;
  };
  const forget = () => {
    pressed = null;
    changes.disconnect();
  };
  const press = ({ detail, target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (detail !== 0 || !button) return; // by pointer
    const all = [...document.querySelectorAll(NEIGHBOURS)];
    const at = all.indexOf(button);
    pressed = button;
    neighbours = [...all.slice(at + 1), ...all.slice(0, at).reverse()];
    around = [];
    for (let box = button.parentElement; box; box = box.parentElement) around.push(box);
    changes.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  };
  const events: [string, (event: never) => void][] = [
    ['pointerdown', forget],
    ['keydown', forget],
    ['click', press],
  ];
  for (const [name, act] of events) addEventListener(name, act as EventListener, true);
  return () => {
    forget();
    for (const [name, act] of events) removeEventListener(name, act as EventListener, true);
  };
}

const isShown = (element: Element) => element.getClientRects().length > 0;
