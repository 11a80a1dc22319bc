// Open, samples, share, export, theme, help.
import { awaited, openSample, sample, samples } from '../state/files';
import { switchTheme, theme } from '../state/theme';
import { chooseFiles } from '../state/input';
import { canRedo, canUndo, redo, undo } from '../state/history';
import { helpOpen, paletteOpen } from '../state/layout';
import { resetAll } from '../state/reset';
import { Icon } from '../widgets/Icon';
import { Menu } from '../widgets/Menu';
import { ExportMenu } from './ExportMenu';
import { Help } from './Help';
import { ShareMenu } from './ShareMenu';

const THEMES = { system: 'as the system', light: 'light', dark: 'dark' };

/** The page's title, its menus and the theme. */
export function TopBar() {
  return (
    <header class="top-bar">
      <h1>Roofline</h1>
      <button type="button" class="primary" onClick={() => void chooseFiles()}>
        Open…
      </button>
      <SamplesMenu />
      <ShareMenu />
      <ExportMenu />
      <button
        type="button"
        class="palette-button"
        title="Command palette ( Ctrl K )"
        onClick={() => (paletteOpen.value = true)}
      >
        <Icon name="search" /> <span>Do anything</span> <kbd>Ctrl K</kbd>
      </button>
      <span class="fill" />
      <button
        type="button"
        class="ghost"
        title="Undo ( Ctrl Z )"
        aria-label="Undo"
        disabled={!canUndo.value}
        onClick={undo}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        class="ghost wide"
        title="Redo ( Ctrl Shift Z )"
        aria-label="Redo"
        disabled={!canRedo.value}
        onClick={redo}
      >
        <Icon name="redo" />
      </button>
      <button
        type="button"
        class="ghost wide"
        title="Reset: settings, filters and view to their defaults"
        aria-label="Reset"
        onClick={resetAll}
      >
        <Icon name="reset" />
      </button>
      <button
        type="button"
        class="ghost"
        title={`Theme: ${THEMES[theme.value]}`}
        aria-label={`Theme: ${THEMES[theme.value]}`}
        onClick={switchTheme}
      >
        <Icon name={theme.value} />
      </button>
      <button type="button" class="ghost" title="Help ( ? )" aria-label="Help" onClick={() => (helpOpen.value = true)}>
        <Icon name="help" />
      </button>
      {helpOpen.value && <Help onClose={() => (helpOpen.value = false)} />}
    </header>
  );
}

function SamplesMenu() {
  const open = (id: string) => {
    awaited.value = null;
    void openSample(id);
  };
  return (
    <Menu label="Samples">
      {close =>
        samples.value.map(({ id, title, text }) => (
          <button
            key={id}
            type="button"
            class="item"
            aria-current={id === sample.value?.id}
            onClick={() => (close(), open(id))}
          >
            <strong>{title}</strong>
            <span class="muted">{text}</span>
          </button>
        ))
      }
    </Menu>
  );
}
