// Ctrl-K: finds commands, machines, formats, views and operations by name.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { paletteOpen } from '../core/dialogs';
import { fixedCommands, operationCommands, operatorCommand, ranked, type Command } from './commands';

const MOST = 40;

/** `views`: the page's own, as commands. */
export function CommandPalette({ views }: { views: Command[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [found, setFound] = useState<Command[]>([]); // commands that the core has to find
  useLayoutEffect(() => dialog.current!.showModal(), []);
  const fixed = useMemo(() => [...views, ...fixedCommands()], []);
  useEffect(() => {
    let current = true;
    void Promise.all([operatorCommand(typed), operationCommands(typed)]).then(([own, operations]) => {
      if (current) setFound([...(own ? [own] : []), ...operations]);
    });
    return () => {
      current = false;
    };
  }, [typed]);
  const own = found.filter(({ group }) => group !== 'Operation');
  const matches = [...own, ...ranked(fixed, typed), ...found.filter(command => !own.includes(command))].slice(0, MOST);

  const close = () => {
    if (!dialog.current) return; // the palette has closed already
    dialog.current.close(); // at once: the next key is for the page
    paletteOpen.value = false;
  };
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    void command.run();
  };
  const move = (to: number) => {
    const next = (to + matches.length) % Math.max(1, matches.length);
    setActive(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active - 1);
    else if (event.key === 'Enter') run(matches[active]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Command palette"
      onClose={close}
      onClick={event => event.target === dialog.current && close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Search commands"
        aria-expanded
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={matches.length ? `palette-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="A view, a machine, int4 weights, gemm 1 4096 4096, an operation …"
        value={typed}
        onKeyDown={onKeyDown}
        onInput={event => {
          setTyped(event.currentTarget.value);
          setActive(0);
        }}
      />
      <ul role="listbox" id="palette-list" aria-label="Commands" ref={list}>
        {matches.map((command, i) => (
          <li
            key={`${command.group} ${command.title} ${command.key ?? ''}`}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === active}
            onPointerMove={() => setActive(i)}
            onClick={() => run(command)}
          >
            <span class="group">{command.group}</span>
            <span class="title">{command.title}</span>
            {command.hint && <span class="muted ellipsis">{command.hint}</span>}
          </li>
        ))}
      </ul>
      {matches.length === 0 && <p class="muted hint">No match. Try a view, a machine or a format.</p>}
    </dialog>
  );
}
