// Line icons on a 16 px grid.
const PATHS = {
  system: 'M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1',
  dark: 'M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6Z',
  help: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM6.2 6.3c.1-1 .8-1.7 1.8-1.7s1.8.7 1.8 1.6c0 1.3-1.8 1.4-1.8 2.8M8 11.1v.4',
  down: 'M4.5 6.5 8 10l3.5-3.5',
  close: 'M4 4l8 8M12 4l-8 8',
  edit: 'M3 13l.6-2.8 7-7a1.4 1.4 0 0 1 2 0l.2.2a1.4 1.4 0 0 1 0 2l-7 7ZM9.5 4.3l2.2 2.2',
  reset: 'M3.2 8a4.8 4.8 0 1 0 1.5-3.5L3 6M3 2.8V6h3.2',
  undo: 'M6 3 2.8 6.2 6 9.4M3 6.2h6.2a3.6 3.6 0 0 1 0 7.2H7',
  redo: 'M10 3l3.2 3.2L10 9.4M13 6.2H6.8a3.6 3.6 0 0 0 0 7.2H9',
  swap: 'M3 5.5h9M9.8 3.2 12.1 5.5 9.8 7.8M13 10.5H4M6.2 8.2 3.9 10.5l2.3 2.3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.4 10.4l3.1 3.1',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  fold: 'M6.5 4.5 10 8l-3.5 3.5',
  unfold: 'M9.5 4.5 6 8l3.5 3.5',
  info: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM8 7.2v4M8 4.8v.4',
  decades: 'M2.5 2.5v11h11M5.5 10.5 9 6h4M5.5 13.5v-1.2M8.5 13.5v-1.2M11.5 13.5v-1.2',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing for a button. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The page's logo: a roofline with points below it. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M1 14 8 4h7" />
      <circle cx="11" cy="9.5" r="1.8" />
    </svg>
  );
}
