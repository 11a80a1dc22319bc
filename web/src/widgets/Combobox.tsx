// A long list with search: type to narrow it, arrows and Enter to choose.
import { Fragment } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * `group`: options of a group are listed under its name. `detail`: further text, also found by typing. `rank`: of those found, larger ones
 * first. `note`: shown behind the name. `likelihood`: possible ones come first, unlikely ones last and in grey; all can be chosen.
 */
interface Option {
  id: string;
  name: string;
  group?: string;
  detail?: string;
  rank?: readonly number[];
  note?: string;
  likelihood?: 'possible' | 'unlikely';
}

interface Props {
  label: string;
  options: Option[];
  value: string; // what the field shows while it is not being edited
  onChange: (id: string) => void;
  onOpen?: () => void;
  unlisted?: { text: string; choose: (typed: string) => void }; // what to do if no option has the typed text
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Options that have the typed text: first those of which it is a whole word of the name, then those whose name has it. */
function found(options: Option[], typed: string): Option[] {
  const text = plain(typed);
  const place = ({ likelihood }: Option) => (likelihood === 'possible' ? 0 : likelihood === 'unlikely' ? 2 : 1);
  if (text === '') return [...options].sort((a, b) => place(a) - place(b));
  const worth = ({ id, name, group = '', detail = '' }: Option) =>
    name.split(/[\s,]+/).some(word => plain(word) === text)
      ? 3
      : plain(name + id).includes(text)
        ? 2
        : Number(plain(group).includes(text) || plain(detail).includes(text));
  const beyond = (a: readonly number[] = [], b: readonly number[] = []) =>
    b.map((value, i) => value - (a[i] ?? 0)).find(difference => difference !== 0) ?? 0;
  return options.filter(worth).sort((a, b) => place(a) - place(b) || worth(b) - worth(a) || beyond(a.rank, b.rank));
}

/** Keeps the focus in the field, because the list closes on blur. The click chooses an option: a finger that goes down may start to scroll. */
const preventBlur = (event: MouseEvent) => event.preventDefault();

const unlikelyCount = (options: Option[]) => options.filter(({ likelihood }) => likelihood === 'unlikely').length;

const LEAST_HEIGHT = 280; // px, however low the field is
const MARGIN = 8;

/** The lowest visible y (px) inside an element: the bottom of the window or of an ancestor that clips it. */
function bottomOfRoom(element: HTMLElement): number {
  let bottom = innerHeight;
  for (let outer = element.parentElement; outer; outer = outer.parentElement)
    if (getComputedStyle(outer).overflowY !== 'visible')
      bottom = Math.min(bottom, outer.getBoundingClientRect().bottom);
  return bottom;
}

/** Fits an open list between its field and the window's bottom and right edges; its last row stays whole. */
function fit(list: HTMLElement) {
  list.style.maxHeight = list.style.translate = '';
  const { top, right, left } = list.getBoundingClientRect();
  const past = Math.min(right - innerWidth + MARGIN, left - MARGIN);
  if (past > 0) list.style.translate = `${-past}px`;
  const border = list.offsetHeight - list.clientHeight;
  const room = Math.max(LEAST_HEIGHT, bottomOfRoom(list) - top - MARGIN);
  const height = Math.min(list.offsetHeight, room) - border;
  if (list.scrollHeight <= height) return;
  const ends = [...list.querySelectorAll<HTMLElement>('[role=option]')].map(row => row.offsetTop + row.offsetHeight);
  const last = ends.filter(end => end <= height).at(-1);
  if (last !== undefined) list.style.maxHeight = `${last + border}px`;
}

/** A choice among many options, found by typing. */
export function Combobox({ label, options, value, onChange, onOpen, unlisted }: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const open = typed !== null;
  const matches = open ? found(options, typed) : [];

  useLayoutEffect(() => {
    if (open) fit(list.current!);
  }, [open, typed, options.length, unlikelyCount(options)]);

  const show = (text: string) => {
    if (!open) onOpen?.();
    setTyped(text);
  };
  const choose = (option: Option | undefined) => {
    if (option) onChange(option.id);
    else if (open) unlisted?.choose(typed.trim());
    setTyped(null);
  };
  const move = (to: number) => {
    const next = Math.max(0, Math.min(matches.length - 1, to));
    setActive(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (open) move(active + (event.key === 'ArrowDown' ? 1 : -1));
      else show('');
    } else if (event.key === 'Enter') choose(matches[active]);
    else if (event.key === 'Escape') {
      if (open) event.stopPropagation();
      setTyped(null);
    }
  };
  return (
    <div class="combobox">
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={open}
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        aria-activedescendant={open && (matches.length || unlisted) ? `${id}${active}` : undefined}
        value={typed ?? value}
        placeholder={value}
        size={Math.max(1, value.length)} // not of the typed text, so that nothing beside the field moves
        onFocus={event => event.currentTarget.select()}
        onClick={() => show(typed ?? '')}
        onBlur={() => setTyped(null)}
        onKeyDown={onKeyDown}
        onInput={event => {
          show(event.currentTarget.value);
          setActive(0);
        }}
      />
      <ul role="listbox" id={`${id}list`} aria-label={label} ref={list} hidden={!open}>
        {matches.map((option, i) => (
          <Fragment key={option.id}>
            {option.group !== undefined && option.group !== matches[i - 1]?.group && (
              <li class="group" role="presentation">
                {option.group}
              </li>
            )}
            <li
              id={`${id}${i}`}
              role="option"
              aria-selected={i === active}
              class={option.likelihood === 'unlikely' ? 'muted' : ''}
              onPointerMove={() => setActive(i)}
              onMouseDown={preventBlur}
              onClick={() => choose(option)}
            >
              {option.name}
              {option.detail && <span class="muted detail">{option.detail}</span>}
              {option.note && <span class="detail">{option.note}</span>}
            </li>
          </Fragment>
        ))}
        {open && matches.length === 0 && (
          <li role="option" aria-disabled="true" aria-selected={false}>
            none found
          </li>
        )}
        {open && matches.length === 0 && unlisted && (
          <li
            id={`${id}0`}
            role="option"
            aria-selected={true}
            onMouseDown={preventBlur}
            onClick={() => choose(undefined)}
          >
            {unlisted.text}
          </li>
        )}
      </ul>
    </div>
  );
}
