// The tabs, the More menu with the other views, and the switch between the charts of a tab.
import { useEffect, useRef } from 'preact/hooks';
import { sheet } from '../core/sheet';
import { useClipCue } from '../widgets/ClipBox';
import { shownView, showTab, showView, tabs, type Tab } from './views';
import { Menu } from '../widgets/Menu';

/** Shows a tab, and nothing over it. */
function choose(tab: Tab) {
  sheet.value = null;
  showTab(tab);
}

/** The bar above the headline. */
export function Tabs() {
  const { tab: current } = shownView();
  const { shown, more } = tabs();
  const at = shown.findIndex(({ label }) => label === current.label);
  const list = useRef<HTMLDivElement>(null);
  useClipCue(list);
  useEffect(() => {
    const chosen = list.current?.children[at] as HTMLElement | undefined;
    const beyond =
      chosen && chosen.offsetLeft + chosen.offsetWidth - list.current!.offsetLeft - list.current!.clientWidth;
    if (beyond && beyond > list.current!.scrollLeft) list.current!.scrollLeft = beyond;
    else if (chosen && chosen.offsetLeft - list.current!.offsetLeft < list.current!.scrollLeft)
      list.current!.scrollLeft = chosen.offsetLeft - list.current!.offsetLeft;
    else if (at === 0) list.current!.scrollLeft = 0;
  }, [at, shown.length]);
  const step = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    const next = to === undefined ? undefined : shown[to];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next);
    (event.currentTarget as Element).querySelectorAll('button')[to!]?.focus();
  };
  return (
    <nav class="tab-bar" aria-label="Views">
      <div role="tablist" aria-label="Views" onKeyDown={step} ref={list}>
        {shown.map((tab, i) => (
          <button
            key={tab.label}
            type="button"
            role="tab"
            aria-selected={i === at}
            tabIndex={i === Math.max(0, at) ? 0 : -1}
            title={tab.question}
            onClick={() => choose(tab)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <Menu class={at < 0 ? 'more-views chosen' : 'more-views'} label={at < 0 ? current.label : 'More'} align="right">
        {close =>
          more.map(tab => (
            <button
              key={tab.label}
              type="button"
              class="item"
              aria-current={tab.label === current.label}
              onClick={() => (close(), choose(tab))}
            >
              <strong>{tab.label}</strong>
              <span class="muted">{tab.question}</span>
            </button>
          ))
        }
      </Menu>
    </nav>
  );
}

/** The charts of the tab, where it has several. */
export function ViewSwitch() {
  const { tab, view } = shownView();
  if (tab.views.length < 2) return null;
  return (
    <div class="choice view-bar" role="group" aria-label="Chart">
      {tab.views.map(({ id, label }) => (
        <button key={id} type="button" aria-pressed={id === view.id} onClick={() => showView(id)}>
          {label}
        </button>
      ))}
    </div>
  );
}
